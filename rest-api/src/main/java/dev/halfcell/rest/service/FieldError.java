package dev.halfcell.rest.service;

import dev.halfcell.tensor.Problem;
import java.util.Optional;

/**
 * What is wrong with one value of a request.
 *
 * @param pointer a JSON pointer to it
 * @param message a sentence for people
 * @param allowed what would be right
 */
public record FieldError(String pointer, String message, Optional<String> allowed) {
  /** What the library says of a specification. */
  public static FieldError of(Problem problem, String below) {
    String fix = problem.fix().isEmpty() ? "" : " " + problem.fix();
    String pointer = problem.where().startsWith("/") ? problem.where() : "";
    return new FieldError(
        below + pointer,
        "expected " + problem.expected() + ", got " + problem.got() + "." + fix,
        Optional.of(problem.expected()));
  }

  /** One that says all in its message. */
  public static FieldError of(String pointer, String message) {
    return new FieldError(pointer, message, Optional.empty());
  }
}
