package dev.halfcell.plan;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.halfcell.amp.TrainStepCell;
import dev.halfcell.amp.precision.Level;
import dev.halfcell.backend.Backend;
import dev.halfcell.backend.ReferenceBackend;
import dev.halfcell.tensor.DType;
import dev.halfcell.tensor.Tensor;
import dev.halfcell.tensor.TensorScope;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

final class FusionTest {
  private static final int ROWS = 3;

  private final Backend backend = new ReferenceBackend();
  private final TensorScope scope = TensorScope.open();

  @AfterEach
  void close() {
    scope.close();
    backend.close();
  }

  static Stream<Arguments> everyLevel() {
    return Stream.of(Example.values())
        .flatMap(
            example ->
                Stream.of(Level.values())
                    .flatMap(
                        level ->
                            Stream.of(DType.FP16, DType.BF16)
                                .filter(half -> level != Level.O0 || half == DType.FP16)
                                .map(half -> Arguments.of(example, level, half))));
  }

  @ParameterizedTest
  @MethodSource("everyLevel")
  void simplifiedProgramsHaveTheSameBits(Example example, Level level, DType half) {
    List<Tensor> plain = twoSteps(example, level, half, false, false);
    List<Tensor> simplified = twoSteps(example, level, half, true, false);
    for (int i = 0; i < plain.size(); i++) {
      assertTrue(plain.get(i).sameBits(simplified.get(i)), "value " + i);
    }
  }

  @ParameterizedTest
  @MethodSource("everyLevel")
  void fusedProgramsMeanTheSame(Example example, Level level, DType half) {
    List<Tensor> plain = twoSteps(example, level, half, false, false);
    List<Tensor> fused = twoSteps(example, level, half, true, true);
    boolean roundsLess = example == Example.NORMALIZED && level == Level.O2;
    double tolerance = roundsLess ? 0.02 : 0;
    for (int i = 0; i < plain.size(); i++) {
      assertArrayEquals(plain.get(i).toArray(), fused.get(i).toArray(), tolerance, "value " + i);
    }
  }

  /** The results of both steps, and all that the state holds then. */
  private List<Tensor> twoSteps(
      Example example, Level level, DType half, boolean simplify, boolean fuse) {
    try (TrainStepCell train = example.train(level, half, backend)) {
      Program program = Program.of(example.graph(train, ROWS));
      Program rewritten =
          fuse
              ? Fusion.shareStorage(Fusion.fuse(program))
              : simplify ? Fusion.simplify(program) : program;
      List<Tensor> values = new ArrayList<>();
      for (int step = 0; step < 2; step++) {
        List<Tensor> batch = example.batch(scope, ROWS, step);
        values.addAll(Interpreter.run(rewritten, backend, train.state(), batch, scope));
      }
      values.addAll(train.state().snapshot(scope).values());
      return values;
    }
  }
}
