package dev.halfcell.rest.http;

import java.util.Arrays;
import java.util.Locale;

/** The kinds of problems that are answered; {@code /docs} explains each. */
enum ProblemKind {
  BAD_REQUEST(400, "This is no request as it has to be"),
  UNAUTHORIZED(401, "A token is needed"),
  FORBIDDEN(403, "This may not be done"),
  NOT_FOUND(404, "There is no such thing"),
  METHOD_NOT_ALLOWED(405, "This cannot be done here"),
  NOT_ACCEPTABLE(406, "None of the wanted forms is there"),
  TOO_SLOW(408, "The request did not come in time"),
  CONFLICT(409, "The state of things does not allow it"),
  TOO_LARGE(413, "The body is too large"),
  URI_TOO_LONG(414, "The address is too long"),
  UNSUPPORTED_MEDIA_TYPE(415, "The body is not of a form that is read"),
  RANGE_NOT_SATISFIABLE(416, "There are no such bytes"),
  EXPECTATION_FAILED(417, "This is not done here"),
  INVALID(422, "What was sent is not acceptable"),
  TOO_MANY(429, "There is too much of it"),
  HEADERS_TOO_LARGE(431, "The headers are too large"),
  INTERNAL(500, "The server has a defect"),
  NOT_IMPLEMENTED(501, "There is no such method"),
  UNAVAILABLE(503, "Not now");

  private final int status;
  private final String title;

  ProblemKind(int status, String title) {
    this.status = status;
    this.title = title;
  }

  int status() {
    return status;
  }

  String title() {
    return title;
  }

  /** By what it is told apart from others. */
  String type() {
    return "/docs#problem-" + label();
  }

  String label() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  static ProblemKind of(int status) {
    return Arrays.stream(values())
        .filter(kind -> kind.status == status)
        .findFirst()
        .orElse(INTERNAL);
  }
}
