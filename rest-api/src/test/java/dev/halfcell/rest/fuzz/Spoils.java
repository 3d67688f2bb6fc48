package dev.halfcell.rest.fuzz;

import dev.halfcell.rest.fuzz.Api.Operation;
import dev.halfcell.rest.fuzz.Api.Parameter;
import dev.halfcell.rest.fuzz.Ask.Kind;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;

/** Makes one mistake in what a request says, or in its head. One thread. */
final class Spoils {
  private static final JsonNodeFactory NODES = JsonNodeFactory.instance;

  /** How deep arrays and objects of a body may stand in each other (docs/http.md). */
  private static final int DEEPEST = 32;

  private static final List<String> ODD_TEXTS =
      List.of(
          "",
          " ",
          "x",
          "1.5",
          "1e2",
          " 1",
          "+1",
          "0x1",
          "-1",
          "0",
          "01",
          "\u0663",
          "null",
          "NaN",
          "TRUE",
          "yes",
          "QUEUED ",
          "queued",
          "o2",
          "O4",
          "9223372036854775808",
          "99999999999999999999999999",
          "2147483648",
          "\u00fc",
          "x".repeat(600));

  private final Api api;
  private final Draws draws;
  private final Bodies bodies;
  private final HeadSpoils heads;

  Spoils(Api api, Asks.Place place, Draws draws, Bodies bodies) {
    this.api = api;
    this.heads = new HeadSpoils(api, place, draws);
    this.draws = draws;
    this.bodies = bodies;
  }

  /** The same with one mistake. */
  Ask spoiled(Ask valid) {
    List<Function<Ask, Optional<Ask>>> ways =
        List.of(
            this::value,
            this::value,
            this::twice,
            this::unknown,
            this::body,
            this::body,
            this::body,
            this::assigned,
            this::broken,
            this::bodiless,
            this::mediaType,
            heads::accept,
            heads::caller,
            heads::method,
            heads::path,
            heads::place,
            heads::large,
            heads::headerless,
            heads::header);
    Optional<Ask> spoiled = Optional.empty();
    while (spoiled.isEmpty()) {
      spoiled = draws.one(ways).apply(valid);
    }
    return spoiled.get();
  }

  static Optional<Ask> invalid(Ask ask, String how, Integer... statuses) {
    return Optional.of(ask.expecting(Kind.INVALID, how, Set.of(statuses)));
  }

  static Operation operation(Ask ask) {
    return ask.operation().orElseThrow();
  }

  private List<Parameter> free(Ask ask) {
    return operation(ask).parameters().stream().filter(each -> !each.in().equals("path")).toList();
  }

  static String joined(Ask ask, String query) {
    return ask.target() + (ask.target().contains("?") ? "&" : "?") + query;
  }

  private static Ask unsaid(Ask ask, Parameter parameter) {
    if (parameter.in().equals("header")) {
      return ask.without(parameter.name());
    }
    int question = ask.target().indexOf('?');
    if (question < 0) {
      return ask;
    }
    List<String> rest = new ArrayList<>();
    for (String part : ask.target().substring(question + 1).split("&", -1)) {
      if (!part.startsWith(parameter.name() + "=")) {
        rest.add(part);
      }
    }
    return ask.at(ask.path() + (rest.isEmpty() ? "" : "?" + String.join("&", rest)));
  }

  private static Ask said(Ask ask, Parameter parameter, String value) {
    return parameter.in().equals("header")
        ? ask.with(parameter.name(), value)
        : ask.at(joined(ask, Asks.encoded(parameter.name()) + "=" + Asks.encoded(value)));
  }

  /** What the text of a parameter stands for. */
  private static JsonNode node(JsonNode schema, String text) {
    return switch (schema.path("type").asString("string")) {
      case "integer" ->
          text.matches("-?(0|[1-9][0-9]*)")
              ? NODES.numberNode(new BigInteger(text))
              : NODES.stringNode(text);
      case "boolean" ->
          Set.of("true", "false").contains(text)
              ? NODES.booleanNode(text.equals("true"))
              : NODES.stringNode(text);
      case "array" -> NODES.arrayNode().add(text);
      default -> NODES.stringNode(text);
    };
  }

  private static boolean printable(String text) {
    return text.equals(text.strip()) && text.chars().allMatch(c -> c >= ' ' && c < 0x7f);
  }

  private Optional<Ask> value(Ask ask) {
    if (free(ask).isEmpty()) {
      return Optional.empty();
    }
    Parameter parameter = draws.one(free(ask));
    JsonNode schema = parameter.schema();
    String text =
        schema.has("maximum") && draws.chance(2)
            ? schema.get("maximum").bigIntegerValue().add(BigInteger.ONE).toString()
            : draws.one(ODD_TEXTS);
    boolean sendable = parameter.in().equals("query") || printable(text);
    if (!sendable || api.fits(schema, node(schema, text))) {
      return Optional.empty();
    }
    String how = parameter.name() + " is '" + text + "'";
    return invalid(said(unsaid(ask, parameter), parameter, text), how, 422);
  }

  private Optional<Ask> twice(Ask ask) {
    List<Parameter> single =
        free(ask).stream()
            .filter(each -> !each.schema().path("type").asString("").equals("array"))
            .toList();
    if (single.isEmpty()) {
      return Optional.empty();
    }
    Parameter parameter = draws.one(single);
    String value = draws.value(parameter.schema()).asString();
    String sent = printable(value) ? value : "1";
    Ask once = said(unsaid(ask, parameter), parameter, sent);
    return invalid(said(once, parameter, sent), parameter.name() + " is there twice", 422);
  }

  private Optional<Ask> unknown(Ask ask) {
    String query =
        draws.one(
            List.of(
                "admin=true",
                "limit[]=1",
                "__proto__[a]=1",
                "token=x",
                "x",
                "=",
                "&",
                "Limit=5",
                "a=1;b=2",
                "%F0%9F%9A%80=1",
                "p=1&".repeat(500) + "p=1"));
    return invalid(ask.at(joined(ask, query)), "an unknown parameter", 422);
  }

  private Optional<Ask> body(Ask ask) {
    Optional<JsonNode> schema = operation(ask).body();
    if (schema.isEmpty()) {
      return Optional.empty();
    }
    JsonNode whole = draws.chance(2) ? bodies.right(operation(ask)) : bodies.allowed(schema.get());
    JsonNode spoiled = draws.spoiled(whole);
    Ask sent = json(ask, Asks.bytes(spoiled));
    if (depth(spoiled) > DEEPEST) {
      return invalid(sent, "a body that is too deep", 400);
    }
    return api.fits(schema.get(), spoiled)
        ? Optional.of(sent.expecting(Kind.PLAUSIBLE, "an odd body", Set.of()))
        : invalid(sent, "a body that does not fit", 422);
  }

  private static int depth(JsonNode value) {
    return value.isContainer()
        ? 1 + value.valueStream().mapToInt(Spoils::depth).max().orElse(0)
        : 0;
  }

  static Ask json(Ask ask, byte[] body) {
    return ask.with(Optional.of(body)).instead("Content-Type", "application/json");
  }

  private Optional<Ask> assigned(Ask ask) {
    if (operation(ask).body().isEmpty()) {
      return Optional.empty();
    }
    byte[] body = Asks.bytes(bodies.assigned(bodies.right(operation(ask))));
    return invalid(json(ask, body), "a key that nobody may give", 422);
  }

  private Optional<Ask> broken(Ask ask) {
    if (operation(ask).body().isEmpty()) {
      return Optional.empty();
    }
    return invalid(json(ask, bodies.broken(bodies.right(operation(ask)))), "no JSON", 400);
  }

  private Optional<Ask> bodiless(Ask ask) {
    if (operation(ask).body().isEmpty()) {
      return invalid(json(ask, Asks.bytes(NODES.objectNode())), "a body that nobody reads", 400);
    }
    return operation(ask).bodyRequired()
        ? invalid(ask.with(Optional.empty()), "no body", 400)
        : Optional.empty();
  }

  private Optional<Ask> mediaType(Ask ask) {
    if (ask.body().isEmpty()) {
      return Optional.empty();
    }
    if (draws.chance(3)) {
      String coding = draws.one(List.of("gzip", "br", "gzip, gzip", "x"));
      return invalid(ask.with("Content-Encoding", coding), "an encoded body", 415);
    }
    String type =
        draws.one(
            List.of(
                "text/plain",
                "application/x-www-form-urlencoded",
                "multipart/form-data; boundary=x",
                "application/json; charset=utf-16",
                "application/x-java-serialized-object",
                "application/xml",
                "json",
                "*/*",
                "",
                "application/json, text/plain"));
    return invalid(ask.instead("Content-Type", type), "sent as " + type, 415);
  }
}
