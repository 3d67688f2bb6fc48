package dev.halfcell.rest.service;

import dev.halfcell.rest.job.JobId;
import dev.halfcell.tensor.HalfCellException;
import dev.halfcell.tensor.Problem;
import java.util.List;
import java.util.Optional;

/** What was asked for is not done, and nothing has changed. */
public final class RefusedException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final Kind kind;
  private final transient List<FieldError> errors;
  private final transient Optional<JobId> job;

  /** Why, as far as a program has to know. */
  public enum Kind {
    /** There is no such thing for the one who asks. */
    MISSING,
    /** The state of things does not allow it. */
    CONFLICT,
    /** What was sent is not acceptable. */
    INVALID,
    /** There is too much of it already. */
    TOO_MUCH,
    /** Not now. */
    UNAVAILABLE
  }

  private RefusedException(Kind kind, String detail, List<FieldError> errors, Optional<JobId> job) {
    super(detail);
    this.kind = kind;
    this.errors = List.copyOf(errors);
    this.job = job;
  }

  /** There is no such thing. */
  public static RefusedException missing(String what) {
    return new RefusedException(
        Kind.MISSING, "There is no such " + what + ".", List.of(), Optional.empty());
  }

  /** The state of things does not allow it. */
  public static RefusedException conflict(String detail) {
    return new RefusedException(Kind.CONFLICT, detail, List.of(), Optional.empty());
  }

  /** Another job is in the way. */
  public static RefusedException conflict(String detail, JobId job) {
    return new RefusedException(Kind.CONFLICT, detail, List.of(), Optional.of(job));
  }

  /** What was sent is not acceptable. */
  public static RefusedException invalid(List<FieldError> errors) {
    String first = errors.isEmpty() ? "It cannot be taken." : said(errors.getFirst());
    return new RefusedException(Kind.INVALID, first, errors, Optional.empty());
  }

  /** What was sent is not acceptable for one reason. */
  public static RefusedException invalid(String pointer, String message) {
    return invalid(List.of(FieldError.of(pointer, message)));
  }

  /** What the library refused. */
  public static RefusedException invalid(HalfCellException refusal) {
    Problem problem = refusal.problem();
    return invalid(List.of(FieldError.of(problem, "")));
  }

  private static String said(FieldError error) {
    return error.pointer().isEmpty() ? error.message() : error.pointer() + ": " + error.message();
  }

  /** There is too much of it already. */
  public static RefusedException tooMuch(String detail) {
    return new RefusedException(Kind.TOO_MUCH, detail, List.of(), Optional.empty());
  }

  /** Not now. */
  public static RefusedException unavailable(String detail) {
    return new RefusedException(Kind.UNAVAILABLE, detail, List.of(), Optional.empty());
  }

  /** Why. */
  public Kind kind() {
    return kind;
  }

  /** In words. */
  public String detail() {
    return String.valueOf(getMessage());
  }

  /** What is wrong with which value. */
  public List<FieldError> errors() {
    return errors;
  }

  /** The job that is in the way. */
  public Optional<JobId> job() {
    return job;
  }
}
