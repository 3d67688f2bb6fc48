package dev.halfcell.rest.supervisor;

import java.time.Duration;

/**
 * Does something as soon as a server's hold on its jobs is over. On a thread of its own: that which
 * renews the hold may be waiting for a store that does not answer, and is so just then.
 */
final class HoldWatch {
  private static final Duration EVERY = Duration.ofMillis(250);

  private final Hold hold;
  private final Runnable over;
  private final Thread looking =
      Thread.ofPlatform().daemon().name("halfcell-hold").unstarted(this::look);

  private HoldWatch(Hold hold, Runnable over) {
    this.hold = hold;
    this.over = over;
  }

  /** Begins to look. */
  static HoldWatch start(Hold hold, Runnable over) {
    HoldWatch watch = new HoldWatch(hold, over);
    watch.looking.start();
    return watch;
  }

  private void look() {
    try {
      while (true) {
        if (hold.over()) {
          attempt(over);
        }
        Thread.sleep(EVERY);
      }
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt(); // the server closes
    }
  }

  private static void attempt(Runnable over) {
    try {
      over.run();
    } catch (RuntimeException | Error e) {
      Log.warning("jobs that are not held any more could not be ended", e);
    }
  }

  /** Ends looking. */
  void end() {
    looking.interrupt();
    try {
      looking.join();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
