package dev.halfcell.plan;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.halfcell.amp.TrainStepCell;
import dev.halfcell.amp.precision.Level;
import dev.halfcell.backend.Backend;
import dev.halfcell.backend.Graph;
import dev.halfcell.backend.ReferenceBackend;
import dev.halfcell.tensor.DType;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Counted by hand for LeNet-5. */
final class ArithmeticTest {
  private static final int ROWS = 3;
  private static final long CONV_1 = 28 * 28 * 6 * 25;
  private static final long CONV_2 = 10 * 10 * 16 * 6 * 25;
  private static final long DENSE = 400 * 120 + 120 * 84 + 84 * 10;

  /** The image has no gradient; each layer else multiplies forward, for its input, its weight. */
  private static final long FLOPS = 2 * ROWS * (2 * CONV_1 + 3 * (CONV_2 + DENSE));

  private final Backend backend = new ReferenceBackend();

  @AfterEach
  void close() {
    backend.close();
  }

  @ParameterizedTest
  @EnumSource(Level.class)
  void aStepOfLeNetAtAnyLevelFusedOrNot(Level level) {
    Graph graph = graph(level);
    assertEquals(FLOPS, Arithmetic.flops(graph));
    assertEquals(FLOPS, Arithmetic.flops(Fusion.fuse(Program.of(graph))));
  }

  @Test
  void aFusedTaskIsCountedInTheOpsItStandsFor() {
    Program fused = Fusion.fuse(Program.of(graph(Level.O0)));
    long both =
        fused.tasks().stream()
            .filter(task -> task.work() instanceof Work.ConvolutionParameterGradients)
            .mapToLong(task -> Arithmetic.flops(fused, task))
            .sum();
    assertEquals(2 * ROWS * (CONV_1 + CONV_2), both);
  }

  private Graph graph(Level level) {
    try (TrainStepCell train = Example.LENET.train(level, DType.FP16, backend)) {
      return Example.LENET.graph(train, ROWS);
    }
  }
}
