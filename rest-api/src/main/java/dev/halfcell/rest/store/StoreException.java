package dev.halfcell.rest.store;

import dev.halfcell.tensor.HalfCellException;
import dev.halfcell.tensor.Problem;

/** The store cannot be read or written, or is not one of ours. */
public final class StoreException extends HalfCellException {
  private static final long serialVersionUID = 1L;

  /** One that has no deeper cause. */
  public StoreException(Problem problem) {
    super(problem);
  }

  /** One that something else led to. */
  public StoreException(Problem problem, Throwable cause) {
    super(problem, cause);
  }
}
