package dev.halfcell.rest.client;

import java.util.List;
import java.util.Optional;

/**
 * What a server says of a request that it refuses (RFC 9457).
 *
 * @param type the kind of problem, for programs
 * @param title the kind of problem, for people
 * @param status the HTTP status
 * @param detail what is wrong this time
 * @param errors what is wrong where in the request
 */
public record ProblemDetail(
    String type, String title, int status, String detail, List<FieldError> errors) {
  public ProblemDetail {
    errors = List.copyOf(errors);
  }

  /**
   * What is wrong with one part of a request.
   *
   * @param pointer a JSON pointer into the body; {@code /query/NAME} and {@code /header/NAME} for
   *     parameters
   * @param message what is wrong with it
   * @param allowed what would be right
   */
  public record FieldError(String pointer, String message, Optional<String> allowed) {
    @Override
    public String toString() {
      return pointer
          + ": "
          + message
          + allowed.map(right -> " (allowed: " + right + ")").orElse("");
    }
  }
}
