package dev.halfcell.rest.http;

import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServerRequest;
import java.time.Duration;
import java.util.function.Consumer;

/** Reads the body of a request, but not too much of it and not for too long. On the event loop. */
final class BodyReading {
  private final Buffer read = Buffer.buffer();
  private final HttpServerRequest request;
  private final Vertx vertx;
  private final int most;
  private final Consumer<byte[]> done;
  private final Consumer<Refusal> refused;
  private long timer;
  private boolean over;

  private BodyReading(
      Vertx vertx,
      HttpServerRequest request,
      int most,
      Consumer<byte[]> done,
      Consumer<Refusal> refused) {
    this.vertx = vertx;
    this.request = request;
    this.most = most;
    this.done = done;
    this.refused = refused;
  }

  static void start(
      Vertx vertx,
      HttpServerRequest request,
      HttpServerSettings settings,
      Consumer<byte[]> done,
      Consumer<Refusal> refused) {
    new BodyReading(vertx, request, settings.limits().bodyBytes(), done, refused)
        .start(settings.deadlines().body());
  }

  private void start(Duration deadline) {
    timer =
        vertx.setTimer(
            deadline.toMillis(),
            _ -> refuse(Refusal.of(ProblemKind.TOO_SLOW, "The body did not come in time.")));
    request.handler(this::add);
    request.exceptionHandler(
        _ -> refuse(Refusal.of(ProblemKind.BAD_REQUEST, "The body is no HTTP as it has to be.")));
    request.endHandler(
        _ -> {
          if (end()) {
            done.accept(read.getBytes());
          }
        });
  }

  private void add(Buffer more) {
    if (over) {
      return;
    }
    if (read.length() + more.length() > most) {
      refuse(Refusal.of(ProblemKind.TOO_LARGE, "A body may have at most " + most + " bytes."));
    } else {
      read.appendBuffer(more);
    }
  }

  private void refuse(Refusal refusal) {
    if (end()) {
      refused.accept(refusal);
    }
  }

  private boolean end() {
    boolean first = !over;
    over = true;
    vertx.cancelTimer(timer);
    return first;
  }
}
