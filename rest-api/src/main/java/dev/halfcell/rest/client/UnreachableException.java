package dev.halfcell.rest.client;

import dev.halfcell.tensor.Problem;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;

/** The server did not answer, however often it was asked. */
public final class UnreachableException extends ClientException {
  private static final long serialVersionUID = 1L;

  UnreachableException(String call, URI server, Duration tried, IOException reason) {
    super(
        new Problem(
            call,
            server.toString(),
            "an answer",
            "none in " + tried.toSeconds() + " s: " + said(reason),
            "Check that the server runs (`halfcell serve`) and that its address is right."),
        reason);
  }

  private static String said(IOException reason) {
    String kind = reason.getClass().getSimpleName();
    return reason.getMessage() == null ? kind : kind + ": " + reason.getMessage();
  }
}
