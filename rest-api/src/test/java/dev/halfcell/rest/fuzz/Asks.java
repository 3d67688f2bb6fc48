package dev.halfcell.rest.fuzz;

import dev.halfcell.rest.fuzz.Api.Operation;
import dev.halfcell.rest.fuzz.Api.Parameter;
import dev.halfcell.rest.fuzz.Ask.Kind;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import tools.jackson.databind.JsonNode;

/** Requests as the document has them. One thread. */
final class Asks {
  private final Api api;
  private final Place place;
  private final Draws draws;
  private final Bodies bodies;

  /**
   * Where requests go.
   *
   * @param token one that may do everything
   * @param reader one that may only read
   * @param known by the name of a parameter of paths, what may stand there
   */
  record Place(String token, String reader, Known known) {}

  /** What there is at a server now. */
  @FunctionalInterface
  interface Known {
    /** What there is for a parameter of paths. */
    List<String> of(String parameter);
  }

  Asks(Api api, Place place, Random random) {
    this.api = api;
    this.place = place;
    this.draws = new Draws(api, random);
    this.bodies = new Bodies(api, draws);
  }

  /** Anything. */
  Ask any() {
    Operation operation = operation();
    Ask valid = valid(operation);
    return switch (draws.below(8)) {
      case 0, 1 -> valid;
      case 2 -> plausible(valid);
      default -> new Spoils(api, place, draws, bodies).spoiled(valid);
    };
  }

  /** Those that change something come more often. */
  private Operation operation() {
    List<Operation> writing =
        api.operations().stream().filter(each -> each.body().isPresent()).toList();
    return draws.one(draws.chance(2) ? writing : api.operations());
  }

  /** One that has to be granted, if what it names is there. */
  Ask valid(Operation operation) {
    Set<Integer> expected = new HashSet<>(operation.granted());
    for (int state : List.of(404, 409, 416)) {
      if (operation.documents(state)) {
        expected.add(state);
      }
    }
    Optional<byte[]> body =
        operation.body().isPresent() && (operation.bodyRequired() || draws.chance(2))
            ? Optional.of(bytes(bodies.right(operation)))
            : Optional.empty();
    Ask ask =
        new Ask(
                Kind.VALID,
                Optional.of(operation),
                "as it has to be",
                operation.method(),
                path(operation),
                List.of(),
                body,
                expected,
                false)
            .with("Host", "localhost");
    ask = body.isPresent() ? ask.with("Content-Type", "application/json") : ask;
    ask =
        operation.scope().isPresent() ? ask.with("Authorization", "Bearer " + place.token()) : ask;
    ask = parameters(ask, operation);
    return operation.method().equals("GET") && draws.chance(10) ? ask.by("HEAD") : accepting(ask);
  }

  static byte[] bytes(JsonNode body) {
    return body.toString().getBytes(StandardCharsets.UTF_8);
  }

  static String encoded(String text) {
    return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
  }

  private String path(Operation operation) {
    String path = operation.path();
    for (Parameter parameter : operation.parameters()) {
      if (parameter.in().equals("path")) {
        List<String> known = place.known().of(parameter.name());
        String said =
            known.isEmpty() || draws.chance(8)
                ? draws.one(List.of("0".repeat(32), "x", "..", "a\u00fc b", "0".repeat(2_000)))
                : draws.one(known);
        path = path.replace("{" + parameter.name() + "}", encoded(said));
      }
    }
    return path;
  }

  /** Streams are asked for now and then; logs that are followed end where somebody closes. */
  private Ask accepting(Ask ask) {
    Operation operation = ask.operation().orElseThrow();
    Set<String> types = new HashSet<>(operation.responses().at("/200/content").propertyNames());
    if (operation.id().equals("getLogs") && ask.target().contains("follow=true")) {
      return endless(ask);
    }
    if (types.isEmpty() || draws.chance(2)) {
      return ask;
    }
    String type = draws.one(List.copyOf(new TreeSet<>(types)));
    if (operation.id().equals("getArtifact")) {
      return ask; // which type a file has is told in the list of files
    }
    Ask typed = ask.with("Accept", draws.chance(2) ? type : type + ";q=0.5, text/x-none");
    return type.equals("text/event-stream") ? endless(typed) : typed;
  }

  private static Ask endless(Ask ask) {
    return new Ask(
        ask.kind(),
        ask.operation(),
        ask.how(),
        ask.method(),
        ask.target(),
        ask.headers(),
        ask.body(),
        ask.expected(),
        true);
  }

  private Ask parameters(Ask from, Operation operation) {
    Ask ask = from;
    List<String> query = new ArrayList<>();
    for (Parameter parameter : operation.parameters()) {
      boolean said = !parameter.in().equals("path") && draws.chance(3);
      if (!said || parameter.name().equals("next")) {
        continue; // only a page says what is next
      }
      if (parameter.in().equals("header")) {
        ask = ask.with(parameter.name(), header(parameter));
      } else {
        for (String value : values(parameter)) {
          query.add(parameter.name() + "=" + encoded(value));
        }
      }
    }
    return query.isEmpty() ? ask : ask.at(ask.target() + "?" + String.join("&", query));
  }

  private String header(Parameter parameter) {
    return switch (parameter.name()) {
      case "Range" ->
          draws.one(
              List.of("bytes=0-0", "bytes=5-", "bytes=-3", "bytes=9-1", "bytes=0-0,2-2", "x"));
      case "If-None-Match" -> draws.one(List.of("*", "\"1\"", "W/\"2\", \"3\"", ""));
      default -> draws.value(parameter.schema()).asString();
    };
  }

  private List<String> values(Parameter parameter) {
    JsonNode value = draws.value(parameter.schema());
    if (value.isArray()) {
      return value.valueStream().map(JsonNode::asString).toList();
    }
    // Who waits longer only keeps others waiting.
    return List.of(
        parameter.name().equals("wait") ? draws.one(List.of("0", "0", "1")) : value.asString());
  }

  /** One that its schemas allow, or nearly: whether it makes sense is for the server to say. */
  private Ask plausible(Ask valid) {
    Operation operation = valid.operation().orElseThrow();
    if (operation.body().isEmpty()) {
      return valid;
    }
    JsonNode body = bodies.allowed(operation.body().get());
    Set<Integer> expected = new HashSet<>(valid.expected());
    expected.add(422);
    return valid
        .with(Optional.of(bytes(body)))
        .instead("Content-Type", "application/json")
        .expecting(Kind.VALID, "as its schema has it", expected);
  }
}
