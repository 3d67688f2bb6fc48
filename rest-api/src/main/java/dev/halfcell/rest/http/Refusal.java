package dev.halfcell.rest.http;

import dev.halfcell.rest.service.FieldError;
import dev.halfcell.rest.service.RefusedException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** A request is answered by a problem. No stack is taken: it is an answer, not a defect. */
final class Refusal extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final ProblemKind kind;
  private final transient List<FieldError> errors;
  private final transient Map<String, String> headers;

  private Refusal(
      ProblemKind kind, String detail, List<FieldError> errors, Map<String, String> headers) {
    super(detail, null, false, false);
    this.kind = kind;
    this.errors = List.copyOf(errors);
    this.headers = Map.copyOf(headers);
  }

  static Refusal of(ProblemKind kind, String detail) {
    return new Refusal(kind, detail, List.of(), Map.of());
  }

  static Refusal invalid(List<FieldError> errors) {
    return of(RefusedException.invalid(errors));
  }

  static Refusal of(RefusedException refused) {
    ProblemKind kind =
        switch (refused.kind()) {
          case MISSING -> ProblemKind.NOT_FOUND;
          case CONFLICT -> ProblemKind.CONFLICT;
          case INVALID -> ProblemKind.INVALID;
          case TOO_MUCH -> ProblemKind.TOO_MANY;
          case UNAVAILABLE -> ProblemKind.UNAVAILABLE;
        };
    Map<String, String> headers = new LinkedHashMap<>();
    refused.job().ifPresent(job -> headers.put("Location", "/v1/jobs/" + job));
    return new Refusal(kind, refused.detail(), refused.errors(), headers);
  }

  Refusal with(String header, String value) {
    Map<String, String> more = new LinkedHashMap<>(headers);
    more.put(header, value);
    return new Refusal(kind, detail(), errors, more);
  }

  ProblemKind kind() {
    return kind;
  }

  String detail() {
    return String.valueOf(getMessage());
  }

  List<FieldError> errors() {
    return errors;
  }

  Map<String, String> headers() {
    return headers;
  }
}
