package dev.halfcell.rest.client;

import dev.halfcell.tensor.Problem;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/** The server refuses a request and says why. */
public final class ProblemException extends ClientException {
  private static final long serialVersionUID = 1L;

  private static final int TIMEOUT = 408;
  private static final int TOO_MANY = 429;
  private static final Set<Integer> NOT_NOW = Set.of(502, 503, 504);

  private final transient ProblemDetail detail;
  private final transient Optional<Duration> retryAfter;

  ProblemException(String call, URI server, ProblemDetail detail, Optional<Duration> retryAfter) {
    super(
        new Problem(
            call, server.toString(), "a request that the server accepts", said(detail), ""));
    this.detail = detail;
    this.retryAfter = retryAfter;
  }

  private static String said(ProblemDetail detail) {
    String errors =
        detail.errors().stream()
            .map(ProblemDetail.FieldError::toString)
            .collect(Collectors.joining("; "));
    String what = detail.status() + " " + detail.title() + ": " + detail.detail();
    return (errors.isEmpty() ? what : what + " " + errors).replaceAll("[.\\s]+$", "");
  }

  /** What the server says, field by field. */
  public ProblemDetail detail() {
    return detail;
  }

  /** The HTTP status. */
  public int status() {
    return detail.status();
  }

  /** What is wrong where in the request. */
  public List<ProblemDetail.FieldError> errors() {
    return detail.errors();
  }

  /** When the server wants to be asked again. */
  public Optional<Duration> retryAfter() {
    return retryAfter;
  }

  /** Whether the same request may be accepted another time. */
  public boolean passing() {
    return status() == TIMEOUT || status() == TOO_MANY || NOT_NOW.contains(status());
  }
}
