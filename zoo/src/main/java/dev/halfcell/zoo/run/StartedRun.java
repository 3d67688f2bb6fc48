package dev.halfcell.zoo.run;

import dev.halfcell.tensor.Problem;
import dev.halfcell.tensor.UsageException;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * A training that goes on in a thread of its own, which keeps Java alive until it ends. What it
 * throws is kept for {@link #result} and told nowhere else: who never asks never hears of it.
 * Threads may share this.
 *
 * <pre>{@code
 * StartedRun started = TrainingRun.open(job, Optional.empty()).start(folder, event -> {});
 * if (!started.await(Duration.ofHours(1))) {
 *   started.cancel();
 *   started.await();
 * }
 * Ending ending = started.result();
 * }</pre>
 */
public final class StartedRun {
  private final AtomicBoolean cancelled = new AtomicBoolean();
  private final CountDownLatch over = new CountDownLatch(1);
  private final Thread thread;
  private volatile Supplier<Ending> result = this::notYet;

  private StartedRun(String name, Function<BooleanSupplier, Ending> training) {
    thread = Thread.ofPlatform().name(name).daemon(false).unstarted(() -> run(training));
  }

  /** Nothing is wrapped: whoever asks is thrown the very thing that was thrown. */
  private void run(Function<BooleanSupplier, Ending> training) {
    try {
      Ending ending = training.apply(cancelled::get);
      result = () -> ending;
    } catch (RuntimeException e) {
      result =
          () -> {
            throw e;
          };
    } catch (Error e) {
      result =
          () -> {
            throw e;
          };
    } finally {
      over.countDown();
    }
  }

  /**
   * A training that has not begun.
   *
   * @param name the thread's
   * @param training is given the question whether it is to end before the next step
   */
  static StartedRun prepared(String name, Function<BooleanSupplier, Ending> training) {
    return new StartedRun(name, training);
  }

  /** Begins it. */
  StartedRun start() {
    thread.start();
    return this;
  }

  /**
   * Has the training end after the step at hand, with a checkpoint; at once where it has ended.
   * Once or often, from any thread. It does not wait: {@link #await} does.
   */
  public void cancel() {
    cancelled.set(true);
  }

  /** Whether the training has ended, in whatever way. */
  public boolean ended() {
    return over.getCount() == 0;
  }

  /**
   * Waits until the training has ended and all that it held is closed.
   *
   * @throws UsageException on the training's own thread, which would wait for itself
   */
  public void await() throws InterruptedException {
    requireOther();
    over.await();
  }

  /** The same no longer than this; whether it has ended. */
  public boolean await(Duration atMost) throws InterruptedException {
    requireOther();
    return over.await(TimeUnit.NANOSECONDS.convert(atMost), TimeUnit.NANOSECONDS);
  }

  /** The same to the end, whoever interrupts; the interruption is then told again. */
  void awaitWhatever() {
    boolean interrupted = false;
    while (!ended()) {
      try {
        await();
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  /**
   * How the training ended. What it threw is thrown, the same each time, with the trace of its
   * thread.
   *
   * @throws UsageException where it has not ended
   */
  public Ending result() {
    return result.get();
  }

  private Ending notYet() {
    throw new UsageException(
        new Problem(
            "result",
            thread.getName(),
            "a training that has ended",
            "one that goes on",
            "Call await first."));
  }

  private void requireOther() {
    if (Thread.currentThread().equals(thread)) {
      throw new UsageException(
          new Problem(
              "await",
              thread.getName(),
              "another thread than the training's",
              "its own, which a listener is called on",
              "Call cancel alone."));
    }
  }
}
