package dev.halfcell.rest.http;

import dev.halfcell.rest.job.Trace;
import io.netty.handler.codec.http.TooLongHttpHeaderException;
import io.netty.handler.codec.http.TooLongHttpLineException;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;

/**
 * Answers what is no HTTP as it has to be, and closes: where the next request begins is unknown.
 */
final class InvalidRequests {
  private InvalidRequests() {}

  static void answer(Connections connections, AccessLog log, HttpServerRequest request) {
    Instant at = Instant.now();
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
    Trace trace = Trace.behind(Optional.empty(), ThreadLocalRandom.current());
    response.putHeader(Trace.HEADER, trace.header());
    response.putHeader("Content-Type", ProblemJson.MEDIA_TYPE);
    response.putHeader("Connection", "close");
    Buffer body = Buffer.buffer(ProblemJson.of(refusal, "", trace));
    log.add(
        new AccessEntry(
            at,
            "OTHER",
            "none",
            refusal.kind().status(),
            body.length(),
            0,
            true,
            Optional.empty(),
            Optional.empty(),
            trace));
    response.end(body).onComplete(_ -> request.connection().close());
  }
}
