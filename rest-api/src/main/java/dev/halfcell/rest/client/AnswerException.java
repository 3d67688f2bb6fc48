package dev.halfcell.rest.client;

import dev.halfcell.tensor.Problem;
import java.net.URI;

/** What answers is no job service, or one that this client does not understand. */
public final class AnswerException extends ClientException {
  private static final long serialVersionUID = 1L;

  AnswerException(String call, URI server, String got) {
    super(problem(call, server, got));
  }

  AnswerException(String call, URI server, String got, Throwable cause) {
    super(problem(call, server, got), cause);
  }

  private static Problem problem(String call, URI server, String got) {
    return new Problem(
        call,
        server.toString(),
        "what a HalfCell server answers",
        got,
        "Check the address, and that client and server are of about the same version.");
  }
}
