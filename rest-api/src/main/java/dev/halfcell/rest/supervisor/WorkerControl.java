package dev.halfcell.rest.supervisor;

import dev.halfcell.rest.service.Workers.Stop;
import dev.halfcell.rest.worker.ToWorker;
import dev.halfcell.rest.worker.Wire;
import java.io.IOException;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * Watches the process of a worker and ends it: where it is told to, where it holds too much, where
 * it is silent. Threads may share it.
 */
final class WorkerControl {
  /** What a process has sent is read to its end, so long after its own. */
  private static final Duration LAST_WORDS = Duration.ofMillis(500);

  private final WorkerBounds bounds;
  private final WorkerHouse house;
  private Optional<Process> process = Optional.empty();
  private Optional<Wire> wire = Optional.empty();
  private Optional<Stop> stop = Optional.empty();
  private Optional<Cut> cut = Optional.empty();
  private OptionalLong listensSince = OptionalLong.empty();
  private OptionalLong endsSince = OptionalLong.empty();
  private long launchedAt;
  private long terminateAt = Long.MAX_VALUE;
  private boolean terminated;
  private boolean begun;
  private boolean over;
  private long resident;
  private long mostResident;

  /** That of a worker which is not started yet. */
  WorkerControl(WorkerBounds bounds, WorkerHouse house) {
    this.bounds = bounds;
    this.house = house;
  }

  /** How a process is started. */
  @FunctionalInterface
  interface Launch {
    /** Starts it. */
    Process start() throws IOException;
  }

  /**
   * Starts the process; none where it was stopped before, or cannot be started. Files that do not
   * answer may keep it from that for long: others need not wait meanwhile to look at it or to stop
   * it.
   */
  Optional<Process> launch(Launch how) {
    if (!ending()) {
      try {
        Process started = how.start();
        launched(started);
        house.processes().offer(started.pid());
      } catch (IOException e) {
        Log.warning("a worker could not be started", e);
        unlaunched(LaunchFailure.of(e));
      } catch (OutOfMemoryError e) { // Java has a thread for each process
        Log.warning("a worker could not be started", e);
        unlaunched(new LaunchFailure("no memory or thread is left", true));
      }
    }
    return process();
  }

  private synchronized Optional<Process> process() {
    return process;
  }

  private synchronized void launched(Process started) {
    process = Optional.of(started);
    launchedAt = now();
    house.launches().worked();
    if (ending()) {
      kill();
    }
  }

  private synchronized void unlaunched(LaunchFailure failure) {
    if (process.isEmpty()) {
      cut(new Cut.Unlaunched(failure));
      if (failure.passes()) {
        house.launches().failed();
      }
    }
  }

  synchronized void connected(Wire to) {
    wire = Optional.of(to);
    listens();
  }

  /** What the worker sends is awaited: from now on silence is its own. */
  synchronized void listens() {
    listensSince = OptionalLong.of(now());
  }

  /** What it sent is being dealt with. */
  synchronized void works() {
    listensSince = OptionalLong.empty();
  }

  synchronized void disconnected() {
    wire = Optional.empty();
    ends();
  }

  /** It trains. */
  synchronized void begins() {
    begun = true;
  }

  synchronized boolean begun() {
    return begun;
  }

  /** It has said all that it will say, and is to exit. */
  synchronized void ends() {
    if (endsSince.isEmpty()) {
      endsSince = OptionalLong.of(now());
    }
  }

  synchronized void holds(long bytes) {
    resident = bytes;
    mostResident = Math.max(mostResident, bytes);
  }

  /** The bytes that it held when it was looked at last; none when it is gone. */
  synchronized long resident() {
    return over ? 0 : resident;
  }

  synchronized long mostResident() {
    return mostResident;
  }

  synchronized Optional<Cut> why() {
    return cut;
  }

  synchronized Optional<Stop> stopped() {
    return stop;
  }

  /** Whether it was told to end, or killed. */
  synchronized boolean ending() {
    return stop.isPresent() || cut.isPresent();
  }

  /** Has it save its state and end, or kills it where there is nothing to save. */
  void stop(Stop why) {
    stop(why, bounds.grace(why));
  }

  /** The same in that time. */
  synchronized void stop(Stop why, Duration grace) {
    boolean again = stop.isPresent();
    if (stop.isEmpty() || outranks(why, stop.get())) {
      stop = Optional.of(why);
    }
    terminateAt = Math.min(terminateAt, now() + grace.toNanos());
    if (!begun) {
      kill();
    } else if (!again) {
      wire.ifPresent(
          to -> Thread.ofVirtual().name("halfcell-worker-stopping").start(() -> send(to)));
    }
  }

  /** What people ask comes before what a server does by itself, and a cancel before all. */
  private static boolean outranks(Stop why, Stop before) {
    return why == Stop.CANCEL
        || why == Stop.PAUSE && (before == Stop.DRAIN || before == Stop.PREEMPT);
  }

  /** On a thread of its own: a worker that does not read is no reason to wait. */
  private static void send(Wire to) {
    try {
      to.send(new ToWorker.Stop());
    } catch (IOException e) {
      Log.warning("a worker that was to stop is gone", e);
    }
  }

  /** Kills it; the first reason stands. */
  synchronized void cut(Cut why) {
    if (!over && cut.isEmpty()) {
      cut = Optional.of(why);
    }
    kill();
  }

  /** Also what it may have started. */
  private void kill() {
    if (!over) {
      process.ifPresent(
          it -> {
            it.destroyForcibly();
            house.signals().toGroup(it.pid(), Signals.KILL);
          });
    }
  }

  /** Looks at it, and does what is due. */
  synchronized void look() {
    if (over || process.isEmpty()) {
      return;
    }
    long now = now();
    if (!process.get().isAlive()) {
      lookAtConnection(now);
      return;
    }
    lookAtMemory(process.get());
    Timing timing = bounds.timing();
    if (!begun && now - launchedAt > timing.start().toNanos()) {
      cut(new Cut.Unstarted(timing.start()));
    }
    if (listensSince.isPresent() && now - listensSince.getAsLong() > timing.silence().toNanos()) {
      cut(new Cut.Silent(timing.silence()));
    }
    if (endsSince.isPresent() && now - endsSince.getAsLong() > timing.exit().toNanos()) {
      cut(new Cut.Lingering(timing.exit()));
    }
    if (bounds.running().filter(left -> now - launchedAt > left.toNanos()).isPresent()
        && stop.isEmpty()) {
      stop(Stop.TIMEOUT);
    }
    lookAtStop(process.get(), now);
  }

  /**
   * A connection closes with its process, unless that has given it away. What is being dealt with
   * meanwhile may have words behind it that nobody has read yet.
   */
  private void lookAtConnection(long now) {
    ends();
    long quietSince = Math.max(endsSince.orElse(now), listensSince.orElse(now));
    if (now - quietSince > LAST_WORDS.toNanos()) {
      wire.ifPresent(WorkerControl::close);
    }
  }

  private static void close(Wire wire) {
    try {
      wire.close();
    } catch (IOException e) {
      Log.warning("the connection of a worker that is gone could not be closed", e);
    }
  }

  private void lookAtMemory(Process of) {
    OptionalLong resident = house.processes().resident(of.pid());
    resident.ifPresent(this::holds);
    if (resident.orElse(0) > bounds.memory()) {
      cut(new Cut.TooLarge(resident.getAsLong(), bounds.memory()));
    }
  }

  private void lookAtStop(Process of, long now) {
    if (stop.isEmpty() || now < terminateAt) {
      return;
    }
    if (!terminated) {
      terminated = true;
      of.destroy();
    } else if (now - terminateAt > bounds.timing().kill().toNanos()) {
      cut(new Cut.Unstopped());
    }
  }

  /** Waits for the process, and ends what it may have left of its group. */
  int awaitExit(Process of) {
    while (true) {
      try {
        int code = of.waitFor();
        synchronized (this) {
          over = true;
        }
        house.signals().toGroup(of.pid(), Signals.KILL);
        return code;
      } catch (InterruptedException e) {
        cut(new Cut.Unstopped());
      }
    }
  }

  private static long now() {
    return System.nanoTime();
  }
}
