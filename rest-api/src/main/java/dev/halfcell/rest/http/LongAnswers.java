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
 * Sends long answers piece by piece, each in its turn, two milliseconds at a time with all else
 * between. Written whole, hundreds of them that are asked for at once would keep the event loop
 * busy until the system has copied them all. Used on one event loop.
 */
final class LongAnswers {
  /** An answer of more bytes is a long one. */
  static final int LONG = 65_536;

  private static final int PIECE = 32_768;
  private static final long TURN = TimeUnit.MILLISECONDS.toNanos(2);
  private static final long PAUSE_MILLISECONDS = 1;
  private static final long PAUSE = TimeUnit.MILLISECONDS.toNanos(PAUSE_MILLISECONDS);

  private final Executor later;
  private final LongSupplier nanos;
  private final Queue<Rest> waiting = new ArrayDeque<>();

  /** Of the turn, or of the one before. */
  private long end;

  private boolean busy;

  /** What is still to be sent of an answer. */
  private record Rest(HttpServerResponse response, Buffer body, int from, Runnable cut) {
    Rest from(int next) {
      return new Rest(response, body, next, cut);
    }
  }

  /**
   * None is sent.
   *
   * @param later runs what it is given a thousandth of a second later, on the same event loop
   * @param nanos the time
   */
  LongAnswers(Executor later, LongSupplier nanos) {
    this.later = later;
    this.nanos = nanos;
    this.end = nanos.getAsLong() - PAUSE;
  }

  static LongAnswers on(Vertx vertx) {
    return new LongAnswers(
        task -> vertx.setTimer(PAUSE_MILLISECONDS, _ -> task.run()), System::nanoTime);
  }

  /**
   * Sends a body and ends the answer.
   *
   * @param response whose head says how long the body is
   * @param cut ends the connection, where a piece cannot be sent
   */
  void send(HttpServerResponse response, Buffer body, Runnable cut) {
    goOn(new Rest(response, body, 0, cut));
  }

  private void goOn(Rest rest) {
    waiting.add(rest);
    if (!busy) {
      turn();
    }
  }

  /**
   * A turn ends by the clock, not where nothing waits: what is copied behind it, as a reader makes
   * room, and the answers of others that are sent one after another are all in its time.
   */
  private void turn() {
    busy = true;
    long now = nanos.getAsLong();
    if (now - end >= PAUSE) {
      end = now + TURN;
    }
    try {
      while (!waiting.isEmpty() && nanos.getAsLong() - end < 0) {
        piece(waiting.remove());
      }
    } finally {
      if (waiting.isEmpty()) {
        busy = false;
      } else {
        later.execute(this::turn);
      }
    }
  }

  /** The next one waits until the system has taken it, and so does the end of the answer. */
  private void piece(Rest rest) {
    HttpServerResponse response = rest.response();
    if (response.closed()) {
      return;
    }
    int next = Math.min(rest.from() + PIECE, rest.body().length());
    response
        .write(rest.body().slice(rest.from(), next))
        .onSuccess(
            _ -> {
              if (next < rest.body().length()) {
                goOn(rest.from(next));
              } else {
                response.end();
              }
            })
        .onFailure(_ -> rest.cut().run());
  }
}
