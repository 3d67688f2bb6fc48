package dev.halfcell.rest.http;

import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServerResponse;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * Sends long answers piece by piece, each in its turn, with all else between the turns. Written
 * whole, a thousand of them would keep the event loop busy for as long as the system takes to copy
 * them all, and the shortest answer to anybody else would wait behind the last. Used on one event
 * loop.
 */
final class LongAnswers {
  /** An answer of more bytes is a long one. */
  static final int LONG = 65_536;

  private static final int PIECE = 32_768;
  private static final long PAUSE_MILLISECONDS = 1;
  private static final long TURN = TimeUnit.MILLISECONDS.toNanos(2);

  private final Executor later;
  private final LongSupplier nanos;
  private final Queue<Rest> waiting = new ArrayDeque<>();
  private boolean busy;

  /** What is still to be sent of an answer. */
  private record Rest(HttpServerResponse response, Buffer body, int from) {}

  /**
   * None is sent.
   *
   * @param later runs what it is given a thousandth of a second later, on the same event loop
   * @param nanos the time
   */
  LongAnswers(Executor later, LongSupplier nanos) {
    this.later = later;
    this.nanos = nanos;
  }

  static LongAnswers on(Vertx vertx) {
    return new LongAnswers(
        task -> vertx.setTimer(PAUSE_MILLISECONDS, _ -> task.run()), System::nanoTime);
  }

  /**
   * Sends a body and ends the answer.
   *
   * @param response whose head says how long the body is
   */
  void send(HttpServerResponse response, Buffer body) {
    goOn(new Rest(response, body, 0));
  }

  private void goOn(Rest rest) {
    waiting.add(rest);
    if (!busy) {
      busy = true;
      turn();
    }
  }

  private void turn() {
    long end = nanos.getAsLong() + TURN;
    while (!waiting.isEmpty() && nanos.getAsLong() - end < 0) {
      piece(waiting.remove());
    }
    if (waiting.isEmpty()) {
      busy = false;
    } else {
      later.execute(this::turn);
    }
  }

  /** The next one waits until the system has taken it: who reads nothing costs nothing more. */
  private void piece(Rest rest) {
    HttpServerResponse response = rest.response();
    if (response.closed()) {
      return;
    }
    int end = Math.min(rest.from() + PIECE, rest.body().length());
    Buffer piece = rest.body().slice(rest.from(), end);
    if (end == rest.body().length()) {
      response.end(piece);
    } else {
      response.write(piece).onSuccess(_ -> goOn(new Rest(response, rest.body(), end)));
    }
  }
}
