package dev.halfcell.rest.client;

import dev.halfcell.tensor.HalfCellException;
import dev.halfcell.tensor.Problem;

/** What was asked of a server was not done. */
public abstract sealed class ClientException extends HalfCellException
    permits ProblemException, UnreachableException, AnswerException {
  private static final long serialVersionUID = 1L;

  ClientException(Problem problem) {
    super(problem);
  }

  ClientException(Problem problem, Throwable cause) {
    super(problem, cause);
  }
}
