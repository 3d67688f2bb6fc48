package dev.halfcell.rest.supervisor;

import dev.halfcell.rest.job.Job;
import dev.halfcell.rest.job.JobId;
import dev.halfcell.rest.job.JobState;
import dev.halfcell.rest.job.JobSummary;
import dev.halfcell.rest.job.StatusReason;
import dev.halfcell.rest.job.StatusReason.Code;
import dev.halfcell.rest.service.EventHub;
import dev.halfcell.rest.service.RunningWorkers;
import dev.halfcell.rest.service.WorkerFigures;
import dev.halfcell.rest.store.Claim;
import dev.halfcell.rest.store.JobStore;
import dev.halfcell.rest.store.StoreException;
import dev.halfcell.rest.supervisor.Preemption.Holder;
import dev.halfcell.rest.worker.FromWorker.Result;
import dev.halfcell.rest.worker.ToWorker.Task;
import dev.halfcell.tensor.ArgumentException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

/**
 * Takes jobs from the queue and has them trained, each in a process of its own. One thread decides
 * what is done; each worker has one that hears it. Threads may share it.
 */
public final class Supervisor implements RunningWorkers {
  private static final Duration PATIENCE = Duration.ofSeconds(10);

  private final WorkerSettings settings;
  private final JobStore store;
  private final WorkerHouse house;
  private final Strays strays;
  private final Hold hold;
  private final WaitingJobs waiting;
  private final TaskRuns tasks;
  private final Map<JobId, WorkerRun> runs = new ConcurrentHashMap<>();
  private final Semaphore wake = new Semaphore(0);
  private final Thread deciding =
      Thread.ofPlatform().daemon().name("halfcell-workers").unstarted(this::decide);
  private Optional<HoldWatch> holding = Optional.empty();
  private boolean filesThere = true;
  private volatile boolean draining;
  private volatile boolean closed;

  private Supervisor(WorkerSettings settings, JobStore store, EventHub hub) {
    this.settings = settings;
    this.store = store;
    Processes processes = Processes.ofThisMachine();
    Signals signals = new Signals();
    Ledger ledger = new Ledger(store, hub);
    Recovery recovery = new Recovery(ledger, settings.folders());
    WorkerSocket socket = WorkerSocket.open(settings.directory(), settings.timing().start());
    WorkerLauncher launcher =
        new WorkerLauncher(
            settings.command().of(socket.path()), settings.folders(), processes, socket.path());
    FilesWatch files = FilesWatch.start(settings.mark());
    this.house =
        new WorkerHouse(
            settings,
            files,
            socket,
            launcher,
            new Launches(System::nanoTime),
            ledger,
            recovery,
            processes,
            signals);
    this.strays = new Strays(processes, signals);
    this.hold = new Hold(settings, store);
    this.waiting = new WaitingJobs(store, ledger, recovery);
    this.tasks = new TaskRuns(house, this::free);
  }

  /**
   * Gives back to the queue what an earlier life of this server left, and begins to take jobs.
   *
   * @throws StoreException where the store cannot be read or written
   */
  public static Supervisor start(WorkerSettings settings, JobStore store, EventHub hub) {
    Supervisor made = new Supervisor(settings, store, hub);
    try {
      made.recover();
    } catch (RuntimeException e) {
      made.house.files().end();
      made.house.socket().close();
      throw e;
    }
    made.deciding.start();
    if (store.shared()) {
      made.holding = Optional.of(HoldWatch.start(made.hold, made::endWhatIsNotHeld));
    }
    return made;
  }

  private void recover() {
    int killed = strays.kill(id -> store.find(id).isPresent());
    int lost = giveBackAbandoned();
    int interrupted = waiting.again(Duration.ZERO);
    if (killed + lost + interrupted > 0) {
      Log.info(
          "recovered: %d jobs without a server, %d interrupted ones, %d processes ended"
              .formatted(lost, interrupted, killed));
    }
  }

  @Override
  public void queueChanged() {
    wake.release();
  }

  @Override
  public void stop(JobId job, Stop why) {
    Optional.ofNullable(runs.get(job)).ifPresent(run -> run.control().stop(why));
  }

  @Override
  public <R extends Result> R perform(
      JobId job, Task<R> asked, long bytes, CompletionStage<Void> left) {
    return tasks.perform(job, asked, bytes, left);
  }

  @Override
  public boolean ready() {
    return house.files().wereThere();
  }

  @Override
  public WorkerFigures figures() {
    long resident = runs.values().stream().mapToLong(run -> run.control().resident()).sum();
    return new WorkerFigures(runs.size(), resident, house.socket().refused());
  }

  private void decide() {
    Timing timing = settings.timing();
    Due polls = new Due(timing.poll());
    Due renewals = new Due(timing.renewal());
    Due scans = new Due(timing.scan());
    while (!closed) {
      runs.values().forEach(run -> attempt(run.control()::look));
      attempt(tasks::look);
      attempt(house.socket()::tidy);
      if (renewals.now()) {
        attempt(hold::renew);
        attempt(this::giveBackAbandoned);
      }
      if (polls.now()) {
        runs.values().forEach(run -> attempt(() -> compare(run)));
        attempt(this::claim);
        attempt(this::makeRoom);
      }
      if (scans.now()) {
        attempt(waiting::look);
      }
      sleep(polls);
    }
  }

  /** What fails now is tried again soon; the other workers must be looked after meanwhile. */
  private static void attempt(Runnable what) {
    try {
      what.run();
    } catch (RuntimeException | Error e) {
      Log.warning("workers could not be looked after", e);
    }
  }

  private void endWhatIsNotHeld() {
    runs.values().forEach(run -> run.control().cut(new Cut.Fenced()));
  }

  private void sleep(Due polls) {
    try {
      if (wake.tryAcquire(settings.timing().look().toNanos(), TimeUnit.NANOSECONDS)) {
        wake.drainPermits();
        polls.soon();
      }
    } catch (InterruptedException e) {
      Log.warning("nobody interrupts this thread", e);
    }
  }

  private void claim() {
    lookAtFiles();
    boolean more = true;
    while (more && open() && runs.size() < settings.slots()) {
      Optional<Job> next =
          house
              .ledger()
              .claim(
                  new Claim(
                      settings.server(), free(), settings.memory(), Instant.now(), hold.end()));
      if (next.isEmpty()) {
        return;
      }
      begin(next.get());
      more = house.launches().sound();
    }
  }

  private boolean open() {
    return !draining && filesThere && !hold.over() && house.launches().due();
  }

  /** What waits behind jobs of a lower priority is not to wait until they have trained. */
  private void makeRoom() {
    List<Holder<WorkerRun>> holders = runs.values().stream().map(WorkerRun::holder).toList();
    OptionalInt lowest =
        holders.stream().filter(it -> !it.ending()).mapToInt(Holder::priority).min();
    if (lowest.isEmpty() || !open()) {
      return;
    }
    Preemption.Room room = new Preemption.Room(settings.slots() - holders.size(), free());
    store
        .waitingAbove(lowest.getAsInt(), settings.memory())
        .ifPresent(head -> preempt(head, Preemption.chosen(head, room, holders)));
  }

  private void preempt(JobSummary head, List<WorkerRun> chosen) {
    String who = chosen.size() == 1 ? "A job" : chosen.size() + " jobs";
    String told = who + " of lower priority had to save the state and end, to make room.";
    StatusReason reason = new StatusReason(Code.MAKING_ROOM, told, Instant.now());
    if (!chosen.isEmpty() && store.tellOfRoom(head.id(), reason)) {
      chosen.forEach(run -> run.control().stop(Stop.PREEMPT));
    }
  }

  /** Other servers may have them, and are to have the jobs then. */
  private void lookAtFiles() {
    boolean now = house.files().wereThere();
    if (now != filesThere) {
      Log.warning(
          "files of jobs are "
              + (now
                  ? "there again: jobs are taken"
                  : "not there: no jobs are taken until they are")
              + " ("
              + settings.folders().root()
              + ")");
      filesThere = now;
    }
  }

  private long free() {
    return settings.memory()
        - runs.values().stream().mapToLong(run -> run.job().summary().estimatedBytes()).sum()
        - tasks.bytes();
  }

  private void begin(Job job) {
    try {
      begin(new WorkerRun(job, settings.server(), house));
    } catch (ArgumentException e) {
      house.recovery().unreadable(job, e.problem().message());
    }
  }

  private synchronized void begin(WorkerRun run) {
    runs.put(run.job().id(), run);
    if (draining) {
      run.control().stop(Stop.DRAIN, Duration.ZERO);
    }
    Thread.ofVirtual().name("halfcell-worker-" + run.job().id()).start(() -> run(run));
  }

  private void run(WorkerRun run) {
    try {
      run.run();
    } catch (RuntimeException e) {
      Log.warning(run.name() + " could not be brought to an end", e);
    } finally {
      runs.remove(run.job().id(), run);
      ended();
      queueChanged();
    }
  }

  private synchronized void ended() {
    notifyAll();
  }

  /** Another server may have been asked to stop a job of this one, or have taken it over. */
  private void compare(WorkerRun run) {
    Optional<Job> there = store.find(run.job().id());
    if (there.isEmpty()
        || there.get().summary().attempt() != run.fence().attempt()
        || !there.get().state().held()) {
      run.control().cut(new Cut.Fenced());
    } else if (there.get().state() == JobState.CANCELLING) {
      run.control().stop(Stop.CANCEL);
    } else if (there.get().summary().statusReason().code() == Code.PAUSING) {
      run.control().stop(Stop.PAUSE);
    }
    there.ifPresent(job -> run.priority(job.summary().description().priority()));
  }

  private int giveBackAbandoned() {
    List<JobSummary> abandoned =
        store.abandoned(settings.server(), Instant.now()).stream()
            .filter(summary -> !runs.containsKey(summary.id()))
            .toList();
    if (abandoned.isEmpty()) {
      return 0;
    }
    Set<JobId> ids = abandoned.stream().map(JobSummary::id).collect(Collectors.toSet());
    var _ = strays.kill(ids::contains);
    return (int) abandoned.stream().filter(this::giveBack).count();
  }

  /** Unless it moved on since it was read. */
  private boolean giveBack(JobSummary summary) {
    return store
        .find(summary.id())
        .filter(job -> job.state().held() && job.summary().attempt() == summary.attempt())
        .map(house.recovery()::lost)
        .orElse(false);
  }

  /**
   * Takes no job any more, has all workers save their state and end, and gives their jobs back to
   * the queue. Models that run may come to their end meanwhile.
   *
   * @param atMost how long that may take; who does not save in six tenths of it is killed
   */
  @Override
  public void drain(Duration atMost) {
    long until = System.nanoTime() + atMost.toNanos();
    synchronized (this) {
      draining = true;
      Duration grace = atMost.multipliedBy(6).dividedBy(10);
      runs.values().forEach(run -> run.control().stop(Stop.DRAIN, grace));
    }
    tasks.drain();
    awaitNone(until - atMost.toNanos() / 5);
    runs.values().forEach(run -> run.control().cut(new Cut.Unstopped()));
    awaitNone(until);
    tasks.end(until);
  }

  private void awaitNone(long until) {
    Waits.until(this, runs::isEmpty, until);
  }

  /** Ends what still runs at once, and frees all that this holds. */
  @Override
  public void close() {
    drain(Duration.ZERO);
    giveUp();
    closed = true;
    queueChanged();
    try {
      deciding.join();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    // One that was being taken from the queue meanwhile.
    giveUp();
    holding.ifPresent(HoldWatch::end);
    house.files().end();
    house.socket().close();
  }

  private void giveUp() {
    runs.values().forEach(WorkerRun::giveUp);
    awaitNone(System.nanoTime() + PATIENCE.toNanos());
  }
}
