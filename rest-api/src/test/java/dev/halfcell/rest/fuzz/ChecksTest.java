package dev.halfcell.rest.fuzz;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.halfcell.rest.fuzz.Checks.Check;
import dev.halfcell.rest.http.HttpApi;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Each check finds what it is for, in an answer that is right but for that. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class ChecksTest {
  private static final String UP = "{\"status\":\"up\"}";
  private static final String PROBLEM =
      "{\"type\":\"/docs#problem-x\",\"title\":\"x\",\"status\":%d,\"detail\":\"x\"}";

  private Api api = Api.read("paths: {}".getBytes(StandardCharsets.UTF_8));

  @BeforeAll
  void read() throws IOException {
    try (InputStream in = HttpApi.class.getResourceAsStream("openapi.yaml")) {
      api = Api.read(Objects.requireNonNull(in, "openapi.yaml").readAllBytes());
    }
  }

  private Ask ask(Ask.Kind kind, Integer... expected) {
    return new Ask(
        kind,
        Optional.of(api.operation("health")),
        "",
        "GET",
        "/healthz",
        List.of(),
        Optional.empty(),
        Set.of(expected),
        false);
  }

  private static Reply reply(int status, String body, String... more) {
    Map<String, List<String>> headers = new HashMap<>();
    List<String> all =
        new ArrayList<>(
            List.of(
                "cache-control", "no-store",
                "content-security-policy", "default-src 'none'",
                "x-content-type-options", "nosniff",
                "x-frame-options", "DENY",
                "referrer-policy", "no-referrer",
                "content-type", status < 400 ? "application/json" : "application/problem+json"));
    all.addAll(List.of(more));
    for (int i = 0; i < all.size(); i += 2) {
      headers.put(all.get(i), List.of(all.get(i + 1)));
    }
    byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
    return new Reply(status, headers, bytes, Duration.ofMillis(1));
  }

  private static Reply problem(int status, String... more) {
    return reply(status, PROBLEM.formatted(status), more);
  }

  private static Reply without(String header, Reply reply) {
    Map<String, List<String>> headers = new HashMap<>(reply.headers());
    headers.remove(header);
    return new Reply(reply.status(), headers, reply.body(), reply.took());
  }

  private Set<Check> found(Ask ask, Reply reply) {
    return new Checks(api)
        .faults(ask, reply).stream().map(Checks.Fault::check).collect(Collectors.toSet());
  }

  @Test
  void whatIsRightHasNoFault() {
    assertEquals(Set.of(), found(ask(Ask.Kind.VALID, 200), reply(200, UP)));
    assertEquals(Set.of(), found(ask(Ask.Kind.INVALID, 422), problem(422)));
    assertEquals(
        Set.of(), found(ask(Ask.Kind.OTHER_METHOD, 405), problem(405, "allow", "HEAD, GET")));
    assertEquals(Set.of(), found(ask(Ask.Kind.OTHER_METHOD, 501), problem(501)));
    assertEquals(Set.of(), found(ask(Ask.Kind.GONE, 404), problem(404)));
  }

  @ParameterizedTest
  @EnumSource
  void eachCheckCanFail(Check check) {
    Ask valid = ask(Ask.Kind.VALID, 200);
    Ask any = ask(Ask.Kind.PLAUSIBLE);
    Reply right = reply(200, UP);
    Set<Check> found =
        switch (check) {
          case NOT_A_SERVER_ERROR -> found(any, problem(500));
          case STATUS_CODE_CONFORMANCE -> found(any, problem(418));
          case CONTENT_TYPE_CONFORMANCE ->
              found(any, reply(200, "up", "content-type", "application/octet-stream"));
          case RESPONSE_HEADERS_CONFORMANCE -> found(any, without("referrer-policy", right));
          case RESPONSE_SCHEMA_CONFORMANCE -> found(any, reply(200, "{\"status\":\"odd\"}"));
          case NEGATIVE_DATA_REJECTION -> found(ask(Ask.Kind.INVALID, 422), right);
          case POSITIVE_DATA_ACCEPTANCE -> found(valid, problem(422));
          case MISSING_REQUIRED_HEADER -> found(ask(Ask.Kind.MISSING_HEADER, 400), right);
          case UNSUPPORTED_METHOD -> found(ask(Ask.Kind.OTHER_METHOD, 405), right);
          case ALLOW_HEADER_CONFORMANCE -> found(any, problem(405, "allow", "GET"));
          case USE_AFTER_FREE -> found(ask(Ask.Kind.GONE, 404), right);
          case ENSURE_RESOURCE_AVAILABILITY -> found(ask(Ask.Kind.MADE, 200), problem(404));
          case IGNORED_AUTH -> found(ask(Ask.Kind.UNKNOWN_CALLER, 401), right);
          case MAX_RESPONSE_TIME ->
              found(any, new Reply(200, right.headers(), right.body(), Duration.ofMillis(5_001)));
          case NO_LEAK ->
              found(
                  any, reply(400, PROBLEM.formatted(400).replace("\"x\"", "\"java.lang.Error\"")));
        };
    assertEquals(Set.of(check), found);
  }

  @Test
  void silenceIsADefect() {
    Set<Check> found = found(ask(Ask.Kind.PLAUSIBLE), Reply.none(Duration.ofSeconds(8)));
    assertTrue(found.containsAll(Set.of(Check.NOT_A_SERVER_ERROR, Check.MAX_RESPONSE_TIME)));
  }
}
