package dev.halfcell.zoo.profile;

import dev.halfcell.backend.Plan;
import dev.halfcell.backend.PlannedTask;
import dev.halfcell.backend.TaskWatch;
import dev.halfcell.train.PlanWatch;
import dev.halfcell.train.TrainEvent;
import dev.halfcell.train.TrainListener;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Measures some steps of a run, in which its plans tell when tasks end. Java compiles what a step
 * runs while it runs, for seconds: so it leaves the first {@link #LEFT_ALONE} steps alone, measures
 * those that follow, and keeps the last {@link #MEASURED}, until the first of these began {@link
 * #SETTLING} or more behind the first step. From then on steps run as they would without it. One
 * thread.
 */
public final class StepProfile implements PlanWatch, TrainListener {
  /** Steps that are not measured, of those that the process takes. */
  public static final int LEFT_ALONE = 10;

  /** The most steps whose figures are kept. */
  public static final int MEASURED = 50;

  /** How long after the first step the code of steps counts as compiled. */
  public static final Duration SETTLING = Duration.ofSeconds(5);

  private final long settlingNanos;
  private final IdentityHashMap<Plan, List<PlannedTask>> schedules = new IdentityHashMap<>();
  private final ArrayDeque<StepTimes> measured = new ArrayDeque<>();
  private final List<RunTimes> running = new ArrayList<>();
  private long first;
  private int taken;

  /** One that has measured nothing yet. */
  public StepProfile() {
    this(SETTLING);
  }

  /** The same, with another time after which the code of steps counts as compiled. */
  StepProfile(Duration settling) {
    this.settlingNanos = settling.toNanos();
  }

  @Override
  public Optional<TaskWatch> running(Plan plan) {
    if (taken < LEFT_ALONE || settled()) {
      return Optional.empty();
    }
    RunTimes times = new RunTimes(plan);
    running.add(times);
    return Optional.of(times);
  }

  /** Whether what was measured is final. */
  private boolean settled() {
    return measured.size() == MEASURED && measured.getFirst().begin() - first >= settlingNanos;
  }

  @Override
  public void on(TrainEvent event) {
    if (event instanceof TrainEvent.StepTaken step) {
      if (taken == 0) {
        first = System.nanoTime();
      }
      taken++;
      if (!running.isEmpty()) {
        measured.add(times(step));
        running.clear();
      }
      if (measured.size() > MEASURED) {
        measured.removeFirst();
      }
    }
  }

  /** The event is told some time after the result was there; data came before the first task. */
  private StepTimes times(TrainEvent.StepTaken step) {
    long nanos = Math.round(step.milliseconds() * 1e6);
    long waited = Math.round(step.dataWaitMilliseconds() * 1e6);
    long begin = Math.min(System.nanoTime() - nanos, running.getFirst().begin() - waited);
    List<TaskTime> tasks = running.stream().flatMap(this::tasks).toList();
    return new StepTimes(step.step(), begin, nanos, waited, tasks);
  }

  private Stream<TaskTime> tasks(RunTimes run) {
    List<PlannedTask> schedule =
        schedules.computeIfAbsent(run.plan(), plan -> plan.report().schedule());
    return IntStream.range(0, run.tasks())
        .mapToObj(i -> new TaskTime(schedule.get(i), run.begin(i), run.nanos(i)));
  }

  /** What was measured; none where the run ended before. */
  public Optional<Profile> profile() {
    return measured.isEmpty() ? Optional.empty() : Optional.of(Profile.of(List.copyOf(measured)));
  }

  /** The same for a trace viewer: JSON in the Trace Event Format. */
  public Optional<String> trace() {
    return measured.isEmpty() ? Optional.empty() : Optional.of(TraceJson.of(List.copyOf(measured)));
  }
}
