package dev.halfcell.tensor;

/**
 * The root of every exception that HalfCell throws on purpose. It carries its {@link Problem} as
 * data; the message is made from it once. Each module seals its own branch.
 */
public abstract class HalfCellException extends RuntimeException {
  private final transient Problem problem;

  protected HalfCellException(Problem problem) {
    super(problem.message());
    this.problem = problem;
  }

  protected HalfCellException(Problem problem, Throwable cause) {
    super(problem.message(), cause);
    this.problem = problem;
  }

  /** What is wrong, field by field. */
  public Problem problem() {
    return problem;
  }
}
