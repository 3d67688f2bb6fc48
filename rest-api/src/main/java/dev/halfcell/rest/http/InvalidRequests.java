package dev.halfcell.rest.http;

import io.netty.handler.codec.http.TooLongHttpHeaderException;
import io.netty.handler.codec.http.TooLongHttpLineException;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;

/**
 * Answers what is no HTTP as it has to be, and closes: where the next request begins is unknown.
 */
final class InvalidRequests {
  private InvalidRequests() {}

  static void answer(Connections connections, HttpServerRequest request) {
    Refusal refusal =
        switch (request.decoderResult().cause()) {
          case TooLongHttpLineException _ ->
              Refusal.of(ProblemKind.URI_TOO_LONG, "The first line may have 4096 bytes.");
          case TooLongHttpHeaderException _ ->
              Refusal.of(ProblemKind.HEADERS_TOO_LARGE, "The headers may have 8192 bytes.");
          case null, default ->
              Refusal.of(ProblemKind.BAD_REQUEST, "This is no HTTP as it has to be.");
        };
    HttpServerResponse response = request.response();
    boolean closing = connections.isClosing(request.connection());
    if (closing || response.ended() || response.closed() || response.headWritten()) {
      request.connection().close();
      return;
    }
    response.setStatusCode(refusal.kind().status());
    SecurityHeaders.put(response.headers());
    response.putHeader("Content-Type", ProblemJson.MEDIA_TYPE);
    response.putHeader("Connection", "close");
    response
        .end(Buffer.buffer(ProblemJson.of(refusal, "")))
        .onComplete(_ -> request.connection().close());
  }
}
