package dev.halfcell.rest.fuzz;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Holds answers to the document, and to what every server has to do. */
final class Checks {
  static final long MOST_MILLISECONDS = 5_000;

  private static final int MOST_PROBLEM_BYTES = 4_096;
  private static final Set<Integer> OF_ANY = Set.of(400, 403, 404, 405, 414, 431, 501);
  private static final JsonMapper JSON = new JsonMapper();

  /** What only somebody who wrote the server needs to see. */
  private static final List<String> SECRETS =
      List.of("dev.halfcell", "java.", "tools.jackson", "io.vertx", "Exception", "\tat ", "/tmp/");

  private static final List<String> SECURITY =
      List.of(
          "Cache-Control",
          "Content-Security-Policy",
          "X-Content-Type-Options",
          "X-Frame-Options",
          "Referrer-Policy");

  private final Api api;

  /** What is checked, by the names that others know it by; the last one is ours. */
  enum Check {
    NOT_A_SERVER_ERROR,
    STATUS_CODE_CONFORMANCE,
    CONTENT_TYPE_CONFORMANCE,
    RESPONSE_HEADERS_CONFORMANCE,
    RESPONSE_SCHEMA_CONFORMANCE,
    NEGATIVE_DATA_REJECTION,
    POSITIVE_DATA_ACCEPTANCE,
    MISSING_REQUIRED_HEADER,
    UNSUPPORTED_METHOD,
    ALLOW_HEADER_CONFORMANCE,
    USE_AFTER_FREE,
    ENSURE_RESOURCE_AVAILABILITY,
    IGNORED_AUTH,
    MAX_RESPONSE_TIME,
    NO_LEAK
  }

  /** What does not hold. */
  record Fault(Check check, String what) {}

  Checks(Api api) {
    this.api = api;
  }

  /** All that does not hold of an answer. */
  List<Fault> faults(Ask ask, Reply reply) {
    List<Fault> faults = new ArrayList<>();
    add(faults, Check.MAX_RESPONSE_TIME, slow(reply));
    add(faults, Check.NOT_A_SERVER_ERROR, serverError(ask, reply));
    add(faults, Check.STATUS_CODE_CONFORMANCE, undocumented(ask, reply));
    add(faults, Check.CONTENT_TYPE_CONFORMANCE, contentType(ask, reply));
    add(faults, Check.RESPONSE_HEADERS_CONFORMANCE, headers(ask, reply));
    add(faults, Check.RESPONSE_SCHEMA_CONFORMANCE, schema(ask, reply));
    add(faults, Check.ALLOW_HEADER_CONFORMANCE, allow(ask, reply));
    add(faults, Check.NO_LEAK, leak(reply));
    boolean right = ask.expected().isEmpty() || ask.expected().contains(reply.status());
    of(ask.kind())
        .filter(_ -> !right)
        .ifPresent(check -> add(faults, check, Optional.of("status " + reply.status())));
    return faults;
  }

  private static void add(List<Fault> to, Check check, Optional<String> what) {
    what.ifPresent(text -> to.add(new Fault(check, text)));
  }

  /** Which check it is that the status is one of those expected. */
  private static Optional<Check> of(Ask.Kind kind) {
    return switch (kind) {
      case VALID -> Optional.of(Check.POSITIVE_DATA_ACCEPTANCE);
      case INVALID -> Optional.of(Check.NEGATIVE_DATA_REJECTION);
      case MISSING_HEADER -> Optional.of(Check.MISSING_REQUIRED_HEADER);
      case OTHER_METHOD -> Optional.of(Check.UNSUPPORTED_METHOD);
      case GONE -> Optional.of(Check.USE_AFTER_FREE);
      case MADE -> Optional.of(Check.ENSURE_RESOURCE_AVAILABILITY);
      case UNKNOWN_CALLER -> Optional.of(Check.IGNORED_AUTH);
      case PLAUSIBLE -> Optional.empty();
    };
  }

  private static Optional<String> slow(Reply reply) {
    long took = reply.took().toMillis();
    return took > MOST_MILLISECONDS ? Optional.of(took + " ms") : Optional.empty();
  }

  /** A method that nobody knows is answered by 501, as HTTP has it; that is no defect. */
  private static Optional<String> serverError(Ask ask, Reply reply) {
    boolean broken = reply.status() < 100 || reply.status() >= 500;
    boolean meant = reply.status() == 501 && ask.expected().contains(501);
    return broken && !meant ? Optional.of("status " + reply.status()) : Optional.empty();
  }

  private static Optional<String> undocumented(Ask ask, Reply reply) {
    boolean known =
        OF_ANY.contains(reply.status())
            || ask.operation().filter(each -> each.documents(reply.status())).isPresent();
    return known ? Optional.empty() : Optional.of("status " + reply.status());
  }

  /** What the document says of an answer; nothing where it says nothing. */
  private Optional<JsonNode> documented(Ask ask, Reply reply) {
    return ask.operation()
        .map(each -> api.resolved(each.responses().path(Integer.toString(reply.status()))))
        .filter(node -> !node.isMissingNode());
  }

  private Optional<String> contentType(Ask ask, Reply reply) {
    String type = reply.mediaType();
    if (reply.status() >= 400) {
      return type.equals("application/problem+json") ? Optional.empty() : Optional.of(type);
    }
    JsonNode content =
        documented(ask, reply).map(node -> node.path("content")).orElse(JSON.missingNode());
    boolean right = content.isMissingNode() ? type.isEmpty() : content.has(type);
    boolean text =
        type.startsWith("text/")
            && !reply.header("Content-Type").orElse("").contains("charset=utf-8");
    if (text) {
      return Optional.of("no charset: " + reply.header("Content-Type"));
    }
    return right ? Optional.empty() : Optional.of("'" + type + "' of " + content.propertyNames());
  }

  private Optional<String> headers(Ask ask, Reply reply) {
    for (String name : SECURITY) {
      if (reply.header(name).isEmpty()) {
        return Optional.of("no " + name);
      }
    }
    if (reply.header("Server").isPresent()
        || reply.header("Access-Control-Allow-Origin").isPresent()) {
      return Optional.of("a header that must not be there");
    }
    JsonNode headers =
        documented(ask, reply).map(node -> node.path("headers")).orElse(JSON.missingNode());
    for (Map.Entry<String, JsonNode> header : headers.properties()) {
      JsonNode said = api.resolved(header.getValue());
      Optional<String> value = reply.header(header.getKey());
      boolean wrong =
          value.isPresent()
              ? !api.fits(api.resolved(said.get("schema")), JSON.valueToTree(value.get()))
              : said.path("required").asBoolean(false);
      if (wrong) {
        return Optional.of(header.getKey() + ": " + value);
      }
    }
    return Optional.empty();
  }

  private Optional<String> schema(Ask ask, Reply reply) {
    if (reply.body().length == 0) {
      return Optional.empty();
    }
    String type = reply.mediaType();
    JsonNode schema =
        documented(ask, reply)
            .map(node -> node.path("content").path(type).path("schema"))
            .filter(node -> !node.isMissingNode())
            .orElse(api.schema("Problem"));
    if (type.equals("text/event-stream")) {
      return events(reply.text());
    }
    boolean json = type.endsWith("json") && !schema.path("format").asString("").equals("binary");
    return json ? fits(schema, reply.text()) : Optional.empty();
  }

  private Optional<String> fits(JsonNode schema, String text) {
    try {
      List<?> errors = api.errors(schema, JSON.readTree(text));
      return errors.isEmpty() ? Optional.empty() : Optional.of(errors.toString());
    } catch (tools.jackson.core.JacksonException e) {
      return Optional.of("no JSON: " + e.getOriginalMessage());
    }
  }

  /** Each event of a stream that is there whole. */
  private Optional<String> events(String text) {
    String whole = text.substring(0, text.lastIndexOf("\n\n") + 2);
    for (String event : whole.split("\n\n", -1)) {
      String data =
          event
              .lines()
              .filter(line -> line.startsWith("data: "))
              .map(line -> line.substring("data: ".length()))
              .findFirst()
              .orElse("");
      boolean numbered = event.lines().anyMatch(line -> line.startsWith("id: "));
      Optional<String> wrong = numbered ? fits(api.schema("Event"), data) : Optional.empty();
      if (wrong.isPresent()) {
        return wrong;
      }
    }
    return Optional.empty();
  }

  private Optional<String> allow(Ask ask, Reply reply) {
    if (reply.status() != 405) {
      return Optional.empty();
    }
    Set<String> said = new TreeSet<>();
    Arrays.stream(reply.header("Allow").orElse("").split(",", -1))
        .map(String::strip)
        .forEach(said::add);
    Set<String> right = ask.operation().map(each -> api.methods(each.path())).orElse(Set.of());
    return said.equals(right)
        ? Optional.empty()
        : Optional.of("Allow has " + said + " and not " + right);
  }

  private static Optional<String> leak(Reply reply) {
    if (reply.status() < 400) {
      return Optional.empty();
    }
    if (reply.body().length > MOST_PROBLEM_BYTES) {
      return Optional.of("a problem of " + reply.body().length + " bytes");
    }
    String text = reply.text().toLowerCase(Locale.ROOT);
    return SECRETS.stream()
        .filter(secret -> text.contains(secret.toLowerCase(Locale.ROOT)))
        .findFirst();
  }
}
