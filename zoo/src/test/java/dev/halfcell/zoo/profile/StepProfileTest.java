package dev.halfcell.zoo.profile;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.halfcell.backend.Plan;
import dev.halfcell.backend.PlanReport;
import dev.halfcell.backend.PlannedTask;
import dev.halfcell.backend.StepPart;
import dev.halfcell.backend.TaskWatch;
import dev.halfcell.op.CellPath;
import dev.halfcell.tensor.Tensor;
import dev.halfcell.train.StepResult;
import dev.halfcell.train.TrainEvent;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

final class StepProfileTest {
  private static final List<PlannedTask> SCHEDULE =
      List.of(
          task("/conv", "Conv2d", StepPart.FORWARD, 1000),
          task("/conv", "Cast", StepPart.FORWARD, 0),
          task("/conv", "Conv2d", StepPart.BACKWARD, 2000),
          task("(step)", "UpdateAll", StepPart.UPDATE, 0));

  private StepProfile profile = new StepProfile();
  private final Plan plan = new Scheduled(SCHEDULE);

  private static PlannedTask task(String at, String label, StepPart part, long flops) {
    return new PlannedTask(
        new CellPath(at), label, part, "jit", List.of(), new PlannedTask.Cost(8, 0, flops, 0));
  }

  private record Scheduled(List<PlannedTask> schedule) implements Plan {
    @Override
    public List<Tensor> run(List<Tensor> inputs) {
      return List.of();
    }

    @Override
    public PlanReport report() {
      return new PlanReport(new PlanReport.Memory(0, 0, OptionalLong.empty(), 0, 0, 0), schedule);
    }

    @Override
    public void close() {}
  }

  /** Takes a step, and tells whether it was watched. */
  private boolean step(int number, Plan on) {
    long start = System.nanoTime();
    Optional<TaskWatch> watch = profile.running(on);
    watch.ifPresent(
        told -> {
          told.began();
          IntStream.range(0, on.report().schedule().size()).forEach(told::ended);
        });
    StepResult result = new StepResult(1, false, 1, 1, true, 1);
    profile.on(
        new TrainEvent.StepTaken(
            number, 1, 4, result, 0.1, (System.nanoTime() - start) / 1e6, 0.0001));
    return watch.isPresent();
  }

  private void steps(int count, Plan on) {
    IntStream.rangeClosed(1, count).forEach(number -> step(number, on));
  }

  /** Of a hundred steps those from 11 on are watched, and fifty kept. */
  private void requireOfAHundred(int lastWatched, int firstKept) {
    List<Integer> watched =
        IntStream.rangeClosed(1, 100).filter(number -> step(number, plan)).boxed().toList();
    assertEquals(IntStream.rangeClosed(11, lastWatched).boxed().toList(), watched);
    Profile found = profile.profile().orElseThrow();
    assertEquals(firstKept, found.first());
    assertEquals(50, found.steps());
  }

  @Test
  void theFirstStepsAreLeftAloneAndFiftyAreMeasured() {
    profile = new StepProfile(Duration.ZERO);
    requireOfAHundred(60, 11);
  }

  @Test
  void ofARunThatIsNotSettledYetTheLastFiftyCount() {
    requireOfAHundred(100, 51);
  }

  @Test
  void stepsThatBeganBeforeItSettledMakeRoomForLaterOnes() {
    profile = new StepProfile(Duration.ofMillis(200));
    long end = System.nanoTime() + Duration.ofMillis(220).toNanos();
    int number = 0;
    while (System.nanoTime() < end) {
      step(++number, plan);
    }
    steps(100, plan);
    assertTrue(profile.running(plan).isEmpty());
    assertEquals(50, profile.profile().orElseThrow().steps());
  }

  @Test
  void nothingIsMeasuredOfAShortRun() {
    steps(10, plan);
    assertEquals(Optional.empty(), profile.profile());
    assertEquals(Optional.empty(), profile.trace());
  }

  @Test
  void theTimeOfAllTasksIsSummedByPartByOpAndByCell() {
    steps(12, plan);
    Profile found = profile.profile().orElseThrow();
    long tasks = found.ops().stream().mapToLong(Profile.Row::nanos).sum();
    assertTrue(tasks > 0);
    assertEquals(tasks, found.cells().stream().mapToLong(Profile.Row::nanos).sum());
    assertEquals(found.total(), found.data() + tasks + found.rest());
    assertEquals(2 * 100, found.data());
    Profile.Row convolutions = row(found.ops(), "Conv2d");
    assertEquals(4, convolutions.tasks());
    assertEquals(2 * 3000, convolutions.flops());
    assertEquals(6, row(found.cells(), "/conv").tasks());
    assertEquals(row(found.ops(), "UpdateAll").nanos(), found.of(StepPart.UPDATE));
    List<Long> times = found.ops().stream().map(Profile.Row::nanos).toList();
    assertEquals(times.stream().sorted((a, b) -> Long.compare(b, a)).toList(), times);
  }

  private static Profile.Row row(List<Profile.Row> rows, String name) {
    return rows.stream().filter(row -> row.name().equals(name)).findFirst().orElseThrow();
  }

  @Test
  void theTraceHasStepsAndWithinThemTasksThatFollowEachOther() {
    steps(12, plan);
    JsonNode events = trace();
    List<JsonNode> steps = of(events, "step");
    assertEquals(List.of("step 11", "step 12"), names(steps));
    assertEquals(2, of(events, "data").size());
    assertEquals(List.of("Conv2d", "Conv2d"), names(of(events, "backward")));
    double before = Double.NEGATIVE_INFINITY;
    for (JsonNode event : events) {
      if (event.get("tid").asInt() == 2 && event.get("ph").asString().equals("X")) {
        double begin = event.get("ts").asDouble();
        assertTrue(begin >= before - 1e-3, event.toString());
        before = begin + event.get("dur").asDouble();
        assertTrue(steps.stream().anyMatch(step -> holds(step, event)), event.toString());
        assertEquals("jit", event.get("args").get("kernel").asString());
      }
    }
    assertEquals("HalfCell", events.get(0).get("args").get("name").asString());
  }

  private static boolean holds(JsonNode step, JsonNode task) {
    double begin = step.get("ts").asDouble();
    double end = begin + step.get("dur").asDouble();
    double first = task.get("ts").asDouble();
    return begin <= first && first + task.get("dur").asDouble() <= end + 1e-3;
  }

  @Test
  void theTraceOfALargePlanHasAsManyWholeStepsAsFit() {
    Plan large = new Scheduled(IntStream.range(0, 40_000).mapToObj(_ -> SCHEDULE.get(1)).toList());
    steps(14, large);
    assertEquals(List.of("step 11", "step 12"), names(of(trace(), "step")));
    assertEquals(4, profile.profile().orElseThrow().steps());
  }

  private JsonNode trace() {
    return new JsonMapper().readTree(profile.trace().orElseThrow()).get("traceEvents");
  }

  private static List<JsonNode> of(JsonNode events, String category) {
    return events
        .valueStream()
        .filter(event -> event.has("cat") && event.get("cat").asString().equals(category))
        .toList();
  }

  private static List<String> names(List<JsonNode> events) {
    return events.stream().map(event -> event.get("name").asString()).toList();
  }
}
