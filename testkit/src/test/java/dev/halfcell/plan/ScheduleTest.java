package dev.halfcell.plan;

import static dev.halfcell.backend.StepPart.BACKWARD;
import static dev.halfcell.backend.StepPart.FORWARD;
import static dev.halfcell.backend.StepPart.UPDATE;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.halfcell.amp.TrainStepCell;
import dev.halfcell.amp.precision.Level;
import dev.halfcell.backend.Backend;
import dev.halfcell.backend.PlannedTask;
import dev.halfcell.backend.ReferenceBackend;
import dev.halfcell.backend.StepPart;
import dev.halfcell.op.CellPath;
import dev.halfcell.tensor.DType;
import java.util.Comparator;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

final class ScheduleTest {
  private static final int ROWS = 2;

  private final Backend backend = new ReferenceBackend();

  @AfterEach
  void close() {
    backend.close();
  }

  private List<PlannedTask> fused(Level level) {
    try (TrainStepCell train = Example.LENET.train(level, DType.FP16, backend)) {
      Program program = Fusion.fuse(Program.of(Example.LENET.graph(train, ROWS)));
      return Schedule.of(
          program, slot -> "layout " + slot, task -> new Schedule.Compiled("k" + task, task, 1));
    }
  }

  @ParameterizedTest
  @EnumSource(Level.class)
  void aStepGoesForwardThenBackwardThenUpdates(Level level) {
    List<StepPart> parts = fused(level).stream().map(PlannedTask::part).toList();
    assertEquals(parts.stream().sorted(Comparator.naturalOrder()).toList(), parts);
    assertEquals(List.of(FORWARD, BACKWARD, UPDATE), parts.stream().distinct().toList());
  }

  @Test
  void theLossWithItsGradientIsOfTheForwardPass() {
    List<String> forward =
        fused(Level.O0).stream()
            .filter(task -> task.part() == FORWARD)
            .map(PlannedTask::label)
            .toList();
    assertEquals("SoftmaxCrossEntropyWithGradient", forward.getLast());
  }

  @Test
  void aTaskIsToldAsItWasCompiled() {
    PlannedTask first = fused(Level.O0).getFirst();
    assertEquals(new CellPath("/0"), first.at());
    assertEquals("Conv2d", first.label());
    assertEquals("k0", first.kernel());
    assertEquals(1, first.out().size());
    long numbers = ROWS * 32 * 32 + 6 * 25 + 6 + ROWS * 6 * 28 * 28;
    long flops = 2L * ROWS * 6 * 28 * 28 * 25;
    assertEquals(new PlannedTask.Cost(4 * numbers, 0, flops, 1), first.cost());
  }

  @Test
  void whatIsOverwrittenIsReadAndWritten() {
    PlannedTask update =
        fused(Level.O0).stream()
            .filter(task -> task.label().equals("UpdateAll"))
            .findFirst()
            .orElseThrow();
    long parameters = 61_706;
    long perTarget = 5; // gradient, parameter and momentum read, the latter two written
    long rest = update.cost().bytes() - 4 * perTarget * parameters;
    assertTrue(rest > 0 && rest < 64, rest + " bytes beside");
  }
}
