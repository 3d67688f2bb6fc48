package dev.halfcell.cpu.kernel;

import dev.halfcell.tensor.Problem;
import dev.halfcell.tensor.UsageException;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.IntConsumer;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * The threads that run stages: the caller and its helpers, part {@code p} on thread {@code p}
 * modulo their number. Between two stages they wait for each other, spinning for as long as such a
 * wait takes where each thread has a core, and giving the core away when it takes longer, or to
 * another of them that is on the same one. One caller at a time; a second one waits.
 */
public final class Team implements AutoCloseable {
  private static final int SPINS = 2_000;
  private static final int YIELDS = 50;

  /** Of so many spins the first asks whether the other is on this processor: it may move. */
  private static final int SPINS_PER_LOOK = 16;

  private static final long PARK_NANOS = 50_000;

  private final int size;
  private final Runnable enterThread;
  private final Affinity affinity;
  private final SharedProcessors processors;
  private final List<Thread> helpers;
  private final AtomicInteger arrived = new AtomicInteger();
  private final @Nullable Throwable[] failures;
  private volatile int turn;
  private volatile int job;
  private volatile List<Stage> stages = List.of();
  private volatile int failedStage = Integer.MAX_VALUE;
  private volatile boolean closed;

  /**
   * Starts the helpers. Where this process is niced and has as many processors as members, each
   * works on one of its own unless others need that, too.
   *
   * @param size how many threads work, the caller included
   * @param enterThread run by each thread before its first stage
   */
  public Team(int size, Runnable enterThread) {
    this(size, enterThread, LinuxThread.ofSystem());
  }

  private Team(int size, Runnable enterThread, Optional<LinuxThread> system) {
    this(size, enterThread, Affinity.ofProcess(size, system), SharedProcessors.of(size, system));
  }

  /** The same, with processors that are chosen, and who is on which. */
  Team(int size, Runnable enterThread, Affinity affinity, SharedProcessors processors) {
    this.size = size;
    this.enterThread = enterThread;
    this.affinity = affinity;
    this.processors = processors;
    this.failures = new Throwable[size];
    this.helpers =
        IntStream.range(1, size)
            .mapToObj(
                member ->
                    Thread.ofPlatform()
                        .daemon()
                        .name("halfcell-cpu-" + member)
                        .unstarted(() -> help(member)))
            .toList();
    helpers.forEach(Thread::start);
  }

  /** Runs stages in order. What a part throws ends the run and is thrown here. */
  public void run(List<Stage> work) {
    requireOutside();
    runAlone(work, null);
  }

  /**
   * The same, and tells the caller's thread when a stage has ended, by its number. A stage of one
   * part is the caller's own; behind any other all threads wait for each other, so that its end
   * here is its end on all of them.
   */
  public void run(List<Stage> work, IntConsumer ended) {
    requireOutside();
    runAlone(work, ended);
  }

  /**
   * Refuses what would run stages inside a stage, for which the helpers wait.
   *
   * @throws UsageException where the calling thread is inside one
   */
  public void requireOutside() {
    if (Thread.holdsLock(this)) {
      throw new UsageException(
          new Problem(
              "cpu",
              "",
              "one op at a time",
              "an op inside another",
              "Compute in plain Java in a host function, or compose ops in a cell."));
    }
  }

  private synchronized void runAlone(List<Stage> work, @Nullable IntConsumer ended) {
    enterThread.run();
    stages = work;
    failedStage = Integer.MAX_VALUE;
    job++;
    helpers.forEach(LockSupport::unpark);
    affinity.begins(0);
    try {
      work(0, work, ended);
    } finally {
      affinity.ends(0);
    }
    if (failedStage != Integer.MAX_VALUE) {
      throw failure();
    }
  }

  /** The failure of the first part that failed, so that it is the same one at each run. */
  private RuntimeException failure() {
    RuntimeException first = new IllegalStateException("a failure that nobody recorded");
    for (int member = size - 1; member >= 0; member--) {
      switch (failures[member]) {
        case null -> {}
        case Error error -> throw error;
        case RuntimeException e -> first = e;
        case Throwable e -> first = new IllegalStateException(e);
      }
      failures[member] = null;
    }
    return first;
  }

  private void help(int member) {
    enterThread.run();
    int done = 0;
    while (true) {
      awaitJob(member, done);
      if (closed) {
        return;
      }
      done = job;
      affinity.begins(member);
      work(member, stages, null);
    }
  }

  private void awaitJob(int member, int done) {
    processors.see(member);
    for (int i = 0; job == done && i < SPINS; i++) {
      spin(member, i);
    }
    while (job == done) {
      LockSupport.park(this);
    }
  }

  /** One member's share of all stages, up to the first that fails. */
  private void work(int member, List<Stage> work, @Nullable IntConsumer ended) {
    processors.see(member);
    int index = 0;
    // A faster member may already have failed in a later stage: that one is still to be met.
    while (index < work.size() && failedStage >= index) {
      int next = nextShared(work, index);
      workAlone(member, work, index, next, ended);
      awaitAll(member);
      if (ended != null && work.get(index).parts() > 1) {
        ended.accept(index);
      }
      index = next;
    }
    awaitAll(member); // all have seen whether it failed before the caller forgets that
  }

  /** The stage before which all wait: between stages of one part, which the caller runs, nobody. */
  private static int nextShared(List<Stage> work, int index) {
    int next = index + 1;
    if (work.get(index).parts() == 1) {
      while (next < work.size() && work.get(next).parts() == 1) {
        next++;
      }
    }
    return next;
  }

  private void workAlone(
      int member, List<Stage> work, int from, int to, @Nullable IntConsumer ended) {
    int index = from;
    try {
      for (; index < to; index++) {
        Stage stage = work.get(index);
        for (int part = member; part < stage.parts(); part += size) {
          stage.body().accept(part);
        }
        if (ended != null && stage.parts() == 1) {
          ended.accept(index);
        }
      }
    } catch (Throwable e) { // thrown again by run
      failures[member] = e;
      failedStage = index;
    }
  }

  @SuppressWarnings("ThreadPriorityCheck") // gives the core to a member that has none; only a hint
  private void awaitAll(int member) {
    int mine = turn;
    processors.see(member);
    if (arrived.incrementAndGet() == size) {
      arrived.set(0);
      turn = mine + 1;
      return;
    }
    for (int i = 0; turn == mine; i++) {
      if (i < SPINS) {
        spin(member, i);
      } else if (i < SPINS + YIELDS) {
        Thread.yield();
      } else {
        LockSupport.parkNanos(this, PARK_NANOS);
      }
    }
  }

  /** Waits a moment; for a member on this same processor by giving that to it. */
  @SuppressWarnings("ThreadPriorityCheck") // as above
  private void spin(int member, int i) {
    if (i % SPINS_PER_LOOK == 0 && processors.shares(member)) {
      Thread.yield();
      processors.see(member);
    } else {
      Thread.onSpinWait();
    }
  }

  /** Ends the helpers. */
  @Override
  public synchronized void close() {
    closed = true;
    job++;
    helpers.forEach(LockSupport::unpark);
    boolean interrupted = false;
    for (Thread helper : helpers) {
      while (helper.isAlive()) {
        try {
          helper.join();
        } catch (InterruptedException e) {
          interrupted = true;
        }
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }
}
