package dev.halfcell.zoo.profile;

import dev.halfcell.backend.Plan;
import dev.halfcell.backend.PlannedTask;
import dev.halfcell.backend.TaskWatch;
import dev.halfcell.train.PlanWatch;
import dev.halfcell.train.TrainEvent;
import dev.halfcell.train.TrainListener;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Measures some steps of a run, in which its plans tell when tasks end: those after the first
 * {@link #LEFT_ALONE}, in which code is still being compiled, at most {@link #MEASURED} of them.
 * The others run as they would without it. One thread.
 */
public final class StepProfile implements PlanWatch, TrainListener {
  /** Steps that are not measured, of those that the process takes. */
  public static final int LEFT_ALONE = 10;

  /** Steps that are measured after them, where the run is long enough. */
  public static final int MEASURED = 50;

  private final IdentityHashMap<Plan, List<PlannedTask>> schedules = new IdentityHashMap<>();
  private final List<StepTimes> measured = new ArrayList<>();
  private final List<RunTimes> running = new ArrayList<>();
  private int taken;

  @Override
  public Optional<TaskWatch> running(Plan plan) {
    if (taken < LEFT_ALONE || measured.size() == MEASURED) {
      return Optional.empty();
    }
    RunTimes times = new RunTimes(plan);
    running.add(times);
    return Optional.of(times);
  }

  @Override
  public void on(TrainEvent event) {
    if (event instanceof TrainEvent.StepTaken step) {
      taken++;
      if (!running.isEmpty()) {
        measured.add(times(step));
        running.clear();
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
    return measured.isEmpty() ? Optional.empty() : Optional.of(Profile.of(measured));
  }

  /** The same for a trace viewer: JSON in the Trace Event Format. */
  public Optional<String> trace() {
    return measured.isEmpty() ? Optional.empty() : Optional.of(TraceJson.of(measured));
  }
}
