package dev.halfcell.rest.http;

import io.netty.channel.Channel;
import io.vertx.core.Vertx;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * Lets new connections in some at a time. A thousand that come at once would keep the event loop
 * busy for seconds, in which nobody else was answered; so their first requests are read one after
 * another, and those of others in between. What one of them costs nobody knows before: where a tick
 * comes late, those of the one before took too long, or all does, and half as many are let in;
 * where it comes in time, twice as many, up to a bound, for the last of a thousand waits for all
 * the others. Used on one event loop.
 */
final class Arrivals {
  private static final int LEAST = 2;
  private static final int FIRST = 20;

  /** 8,000 a second. */
  private static final int MOST = 80;

  private static final long EVERY_MILLISECONDS = 10;
  private static final long EVERY = TimeUnit.MILLISECONDS.toNanos(EVERY_MILLISECONDS);

  private final Executor later;
  private final LongSupplier nanos;
  private final Queue<Arrival> waiting = new ArrayDeque<>();
  private int share = FIRST;
  private int room = FIRST;
  private long due;
  private boolean ticking;

  private record Arrival(Channel channel, Runnable letIn) {}

  /**
   * None has arrived.
   *
   * @param later runs what it is given a hundredth of a second later, on the same event loop
   * @param nanos the time
   */
  Arrivals(Executor later, LongSupplier nanos) {
    this.later = later;
    this.nanos = nanos;
  }

  static Arrivals on(Vertx vertx) {
    return new Arrivals(
        task -> vertx.setTimer(EVERY_MILLISECONDS, _ -> task.run()), System::nanoTime);
  }

  /**
   * Nothing is read of a connection until it is its turn.
   *
   * @param letIn is run then; never where it has gone before
   */
  void arrived(Channel channel, Runnable letIn) {
    if (room > 0) {
      room--;
      letIn.run();
    } else {
      channel.config().setAutoRead(false);
      waiting.add(new Arrival(channel, letIn));
    }
    if (!ticking) {
      tickLater();
    }
  }

  private void tickLater() {
    ticking = true;
    due = nanos.getAsLong() + EVERY;
    later.execute(this::tick);
  }

  private void tick() {
    boolean late = nanos.getAsLong() - due > EVERY;
    share = late ? Math.max(LEAST, share / 2) : Math.min(MOST, share * 2);
    room = share;
    while (room > 0 && !waiting.isEmpty()) {
      Arrival next = waiting.remove();
      if (next.channel().isOpen()) {
        next.channel().config().setAutoRead(true);
        room--;
        next.letIn().run();
      }
    }
    if (room < share) {
      tickLater();
    } else {
      ticking = false;
      share = FIRST;
      room = FIRST;
    }
  }
}
