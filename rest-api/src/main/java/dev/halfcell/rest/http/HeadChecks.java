package dev.halfcell.rest.http;

import dev.halfcell.rest.service.Caller;
import io.vertx.core.MultiMap;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerRequest;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/** What the head of a request has to be, whatever it asks for. Threads may share it. */
final class HeadChecks {
  private static final Set<String> METHODS =
      Set.of("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE", "CONNECT");

  private final Set<String> names;
  private final Tokens tokens;

  HeadChecks(Set<String> names, Tokens tokens) {
    this.names = names;
    this.tokens = tokens;
  }

  static boolean known(String method) {
    return METHODS.contains(method);
  }

  void requireWellFormed(HttpServerRequest request) {
    if (!METHODS.contains(request.method().name())) {
      throw Refusal.of(ProblemKind.NOT_IMPLEMENTED, "There is no such method.");
    }
    if (!Routes.wellFormed(request.uri())) {
      throw Refusal.of(ProblemKind.BAD_REQUEST, "The address is no path as it has to be.");
    }
    // The decoder lets it pass; others on the way may take such a line for something else.
    if (request.headers().contains("")) {
      throw Refusal.of(ProblemKind.BAD_REQUEST, "There is a header without a name.");
    }
  }

  /** A page that came from elsewhere must reach nothing here, by whatever name it calls us. */
  void requireOurs(MultiMap headers) {
    List<String> hosts = headers.getAll(HttpHeaders.HOST);
    if (hosts.size() != 1) {
      throw Refusal.of(ProblemKind.BAD_REQUEST, "There must be one Host.");
    }
    String host = hosts.getFirst().toLowerCase(Locale.ROOT);
    if (!names.contains(withoutPort(host))) {
      throw Refusal.of(ProblemKind.FORBIDDEN, "This server is not called so.");
    }
    for (String origin : headers.getAll(HttpHeaders.ORIGIN)) {
      String said = origin.toLowerCase(Locale.ROOT);
      if (!said.equals("http://" + host) && !said.equals("https://" + host)) {
        throw Refusal.of(ProblemKind.FORBIDDEN, "Pages from elsewhere may ask for nothing here.");
      }
    }
  }

  private static String withoutPort(String host) {
    int colon = host.lastIndexOf(':');
    return colon > host.lastIndexOf(']') ? host.substring(0, colon) : host;
  }

  /** Who asks, where the operation asks for that. */
  Caller caller(Operation operation, MultiMap headers) {
    if (operation.scope().isEmpty() || !tokens.required()) {
      return Caller.local();
    }
    List<String> said = headers.getAll(HttpHeaders.AUTHORIZATION);
    Caller caller =
        said.size() == 1 ? bearer(said.getFirst()).orElseThrow(this::unauthorized) : nobody();
    Caller.Scope scope = Caller.Scope.valueOf(operation.scope().get().toUpperCase(Locale.ROOT));
    if (!caller.may(scope)) {
      throw Refusal.of(
          ProblemKind.FORBIDDEN,
          "The token is not for this: it lacks the scope " + operation.scope().get() + ".");
    }
    return caller;
  }

  private Optional<Caller> bearer(String said) {
    int blank = said.indexOf(' ');
    return blank > 0 && said.substring(0, blank).equalsIgnoreCase("bearer")
        ? tokens.caller(said.substring(blank + 1))
        : Optional.empty();
  }

  private Caller nobody() {
    throw unauthorized();
  }

  private Refusal unauthorized() {
    return Refusal.of(ProblemKind.UNAUTHORIZED, "Send Authorization: Bearer and a token.")
        .with("WWW-Authenticate", "Bearer");
  }

  /** How many bytes of a body are announced; -1 where they come in chunks. */
  static long announced(MultiMap headers) {
    List<String> encodings = headers.getAll(HttpHeaders.TRANSFER_ENCODING);
    if (!encodings.isEmpty()) {
      if (encodings.size() > 1 || !encodings.getFirst().strip().equalsIgnoreCase("chunked")) {
        throw Refusal.of(ProblemKind.BAD_REQUEST, "Transfer-Encoding may be chunked, and once.");
      }
      return -1;
    }
    String length = headers.get(HttpHeaders.CONTENT_LENGTH);
    try {
      return length == null ? 0 : Long.parseLong(length);
    } catch (NumberFormatException e) {
      throw Refusal.of(ProblemKind.BAD_REQUEST, "Content-Length is no number.");
    }
  }

  /** What a body has to be said to be. */
  static void requireReadable(Operation operation, MultiMap headers, long announced, long most) {
    if (announced > most) {
      throw Refusal.of(ProblemKind.TOO_LARGE, "A body may have at most " + most + " bytes.");
    }
    if (announced == 0) {
      return;
    }
    if (operation.body().isEmpty()) {
      throw Refusal.of(ProblemKind.BAD_REQUEST, "This takes no body.");
    }
    String encoding = headers.get(HttpHeaders.CONTENT_ENCODING);
    if (encoding != null && !encoding.equalsIgnoreCase("identity")) {
      throw unsupported("The body must not be encoded.");
    }
    List<String> types = headers.getAll(HttpHeaders.CONTENT_TYPE);
    if (types.size() != 1 || !isJson(types.getFirst())) {
      throw unsupported("The body must be application/json in UTF-8.");
    }
  }

  private static Refusal unsupported(String detail) {
    return Refusal.of(ProblemKind.UNSUPPORTED_MEDIA_TYPE, detail);
  }

  private static boolean isJson(String type) {
    String[] parts = type.toLowerCase(Locale.ROOT).split(";", -1);
    if (!parts[0].strip().equals("application/json") || parts.length > 2) {
      return false;
    }
    return parts.length == 1
        || Set.of("charset=utf-8", "charset=\"utf-8\"").contains(parts[1].strip());
  }
}
