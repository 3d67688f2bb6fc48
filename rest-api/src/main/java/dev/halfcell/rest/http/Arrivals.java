package dev.halfcell.rest.http;

import io.netty.channel.Channel;
import io.vertx.core.Vertx;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.Executor;

/**
 * Lets new connections in some at a time. A thousand that come at once would keep the event loop
 * busy for a second, in which nobody else was answered; so their first requests are read one after
 * another, and those of others in between. Used on one event loop.
 */
final class Arrivals {
  /** 2,000 a second. */
  private static final int AT_ONCE = 20;

  private static final long EVERY_MILLISECONDS = 10;

  private final Executor later;
  private final Queue<Arrival> waiting = new ArrayDeque<>();
  private int room = AT_ONCE;
  private boolean ticking;

  private record Arrival(Channel channel, Runnable letIn) {}

  /**
   * None has arrived.
   *
   * @param later runs what it is given a hundredth of a second later, on the same event loop
   */
  Arrivals(Executor later) {
    this.later = later;
  }

  static Arrivals on(Vertx vertx) {
    return new Arrivals(task -> vertx.setTimer(EVERY_MILLISECONDS, _ -> task.run()));
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
      ticking = true;
      later.execute(this::tick);
    }
  }

  private void tick() {
    room = AT_ONCE;
    while (room > 0 && !waiting.isEmpty()) {
      Arrival next = waiting.remove();
      if (next.channel().isOpen()) {
        next.channel().config().setAutoRead(true);
        room--;
        next.letIn().run();
      }
    }
    ticking = room < AT_ONCE;
    if (ticking) {
      later.execute(this::tick);
    }
  }
}
