package dev.halfcell.rest.fuzz;

import static dev.halfcell.rest.fuzz.Spoils.invalid;
import static dev.halfcell.rest.fuzz.Spoils.joined;
import static dev.halfcell.rest.fuzz.Spoils.operation;

import dev.halfcell.rest.fuzz.Ask.Kind;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/** Makes one mistake in the head of a request, or in how large it is. One thread. */
final class HeadSpoils {
  private static final String ELSEWHERE = "http://evil.example";

  private final Api api;
  private final Asks.Place place;
  private final Draws draws;

  HeadSpoils(Api api, Asks.Place place, Draws draws) {
    this.api = api;
    this.place = place;
    this.draws = draws;
  }

  Optional<Ask> accept(Ask ask) {
    if (operation(ask).responses().at("/200/content").isEmpty()) {
      return Optional.empty();
    }
    String accept =
        draws.one(
            List.of("text/x-none", "*/*;q=0", "garbage", "a/b, c/d;q=1", ",;", "x".repeat(2_000)));
    return invalid(ask.instead("Accept", accept), "wants what is not there", 406);
  }

  Optional<Ask> caller(Ask ask) {
    if (operation(ask).scope().isEmpty()) {
      return Optional.empty();
    }
    boolean reads = operation(ask).scope().get().equals("read");
    if (!reads && draws.chance(3)) {
      Ask reader = ask.instead("Authorization", "Bearer " + place.reader());
      return Optional.of(
          reader.expecting(Kind.UNKNOWN_CALLER, "with a token to read", Set.of(403)));
    }
    Ask nobody = ask.without("Authorization");
    String said =
        draws.one(
            List.of(
                "",
                "Bearer",
                "Bearer x",
                "Basic " + place.token(),
                place.token(),
                "Bearer " + place.token() + "x",
                "Bearer " + place.token() + ", Bearer x",
                "Bearer " + place.token().toUpperCase(Locale.ROOT),
                "Bearer " + "x".repeat(4_000)));
    Ask sent = draws.chance(3) ? nobody : nobody.with("Authorization", said);
    return Optional.of(sent.expecting(Kind.UNKNOWN_CALLER, "with no token", Set.of(401)));
  }

  Optional<Ask> method(Ask ask) {
    Set<String> there = api.methods(operation(ask).path());
    String method = draws.one(List.of("PUT", "PATCH", "DELETE", "POST", "GET", "OPTIONS", "TRACE"));
    if (there.contains(method)) {
      return Optional.empty();
    }
    boolean unknown = draws.chance(4);
    String sent = unknown ? draws.one(List.of("PROPFIND", "GETX", "get", "PURGE", "X")) : method;
    Ask other = ask.by(sent).with("X-HTTP-Method-Override", operation(ask).method());
    int status = unknown ? 501 : 405;
    return Optional.of(other.expecting(Kind.OTHER_METHOD, "by " + sent, Set.of(status)));
  }

  Optional<Ask> path(Ask ask) {
    String path = ask.path();
    if (path.equals("/")) {
      return Optional.empty();
    }
    String odd =
        draws.one(
            List.of(
                path + "/",
                "/" + path,
                path.replaceFirst("/", "/./"),
                "/x/.." + path,
                "/%2e%2e" + path,
                path + "%2f..%2fx",
                path + ";a=b/x",
                "/%ff" + path));
    String broken =
        draws.one(
            List.of(
                path + "%",
                path + "%zz",
                path + "%00",
                path + "%0d%0aX:%20y",
                path.substring(1),
                "*"));
    Ask elsewhere =
        new Ask(
            Kind.INVALID,
            Optional.empty(),
            "",
            ask.method(),
            "",
            ask.headers(),
            ask.body(),
            Set.of(),
            false);
    return draws.chance(3)
        ? invalid(elsewhere.at(broken), "an address that is none", 400)
        : invalid(elsewhere.at(odd), "an address with nothing there", 404);
  }

  Optional<Ask> place(Ask ask) {
    if (draws.chance(2)) {
      String origin = draws.one(List.of(ELSEWHERE, "null", "", "http://localhost.evil.example"));
      return invalid(ask.with("Origin", origin), "from a page elsewhere", 403);
    }
    String host =
        draws.one(List.of("evil.example", "localhost.evil.example", "127.0.0.2", "", "[::1"));
    return invalid(ask.instead("Host", host), "for another host", 403);
  }

  Optional<Ask> large(Ask ask) {
    if (draws.chance(3)) {
      return invalid(ask.at(joined(ask, "x=" + "a".repeat(4_500))), "a long address", 414);
    }
    if (operation(ask).body().isPresent() && draws.chance(2)) {
      return invalid(
          Spoils.json(ask, " ".repeat(262_145).getBytes(StandardCharsets.US_ASCII)),
          "a large body",
          413);
    }
    return invalid(ask.with("X-A", "a".repeat(9_000)), "large headers", 431);
  }

  Optional<Ask> headerless(Ask ask) {
    if (ask.body().isPresent() && draws.chance(2)) {
      Ask sent = ask.without("Content-Type");
      return Optional.of(sent.expecting(Kind.MISSING_HEADER, "no Content-Type", Set.of(415)));
    }
    Ask sent = ask.without("Host");
    return Optional.of(sent.expecting(Kind.MISSING_HEADER, "no Host", Set.of(400)));
  }

  Optional<Ask> header(Ask ask) {
    Ask.Header odd =
        draws.one(
            List.of(
                new Ask.Header("X A", "a"),
                new Ask.Header("X\u0000", "a"),
                new Ask.Header("", "a"),
                new Ask.Header("X-A", "a\rb"),
                new Ask.Header("X-A", "a\u0000b"),
                new Ask.Header("Host", "localhost"),
                new Ask.Header("Transfer-Encoding", "chunked, x"),
                new Ask.Header("Content-Length", "-1"),
                new Ask.Header("Content-Length", "1e3")));
    return invalid(ask.with(odd.name(), odd.value()), "a header that is none", 400);
  }
}
