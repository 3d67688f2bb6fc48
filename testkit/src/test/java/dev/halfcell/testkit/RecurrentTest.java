package dev.halfcell.testkit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.halfcell.backend.Backend;
import dev.halfcell.backend.ReferenceBackend;
import dev.halfcell.op.Op;
import dev.halfcell.op.Ops;
import dev.halfcell.op.recurrent.Gru;
import dev.halfcell.op.recurrent.Lstm;
import dev.halfcell.op.recurrent.Pass;
import dev.halfcell.tensor.DType;
import dev.halfcell.tensor.DataException;
import dev.halfcell.tensor.Tensor;
import dev.halfcell.tensor.TensorScope;
import dev.halfcell.tensor.TensorSpec;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What the op contract does not see of recurrent ops: last states, and where samples end. */
final class RecurrentTest {
  private static final int TIME = 4;
  private static final int BATCH = 3;
  private static final int INPUTS = 2;
  private static final int HIDDEN = 3;

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void lastStatesHaveGradients(boolean reverse) {
    for (Op op : ops(reverse)) {
      try (TensorScope scope = TensorScope.open()) {
        List<Tensor> in = inputs(scope, op, 4, 0, 2);
        for (int output = 1; output < op.differentiableOutputs(); output++) {
          int which = output;
          CentralDifferences.check(
              (ops, values) -> ops.runAll(op, values.toArray(Tensor[]::new)).get(which),
              in,
              in.size() - 1);
        }
      }
    }
  }

  @Test
  void lastStateIsTheOutputOfTheLastStep() {
    for (Op op : ops(false)) {
      run(
          op,
          List.of(4, 0, 2),
          (in, out) -> {
            for (int j = 0; j < HIDDEN; j++) {
              assertEquals(out.get(0).at(at(3, 0, j)), out.get(1).at(j));
              assertEquals(in.get(5).at(HIDDEN + j), out.get(1).at(HIDDEN + j), "initial state");
              assertEquals(out.get(0).at(at(1, 2, j)), out.get(1).at(2 * HIDDEN + j));
              assertEquals(0, out.get(0).at(at(2, 2, j)), "after the end");
            }
          });
    }
  }

  @Test
  void reverseBeginsAtTheEndOfTheSample() {
    for (Op op : ops(true)) {
      run(
          op,
          List.of(4, 0, 2),
          (in, out) -> {
            for (int j = 0; j < HIDDEN; j++) {
              assertEquals(out.get(0).at(at(0, 0, j)), out.get(1).at(j));
              assertEquals(out.get(0).at(at(0, 2, j)), out.get(1).at(2 * HIDDEN + j));
              assertEquals(0, out.get(0).at(at(2, 2, j)), "after the end");
            }
          });
    }
  }

  @Test
  void aLengthBeyondTheStepsIsRefused() {
    for (Op op : ops(false)) {
      DataException e =
          assertThrows(DataException.class, () -> run(op, List.of(4, 5, 2), (_, _) -> {}));
      assertEquals(op.label(), e.problem().subject());
      assertEquals("length 5 of sample 1", e.problem().got());
    }
  }

  private interface Check {
    void accept(List<Tensor> in, List<Tensor> out);
  }

  private static void run(Op op, List<Integer> lengths, Check check) {
    try (TensorScope scope = TensorScope.open();
        Backend reference = new ReferenceBackend()) {
      List<Tensor> in = inputs(scope, op, lengths.stream().mapToInt(l -> l).toArray());
      Ops ops = new Ops(reference.eager(scope), OpCase.PATH);
      check.accept(in, ops.runAll(op, in.toArray(Tensor[]::new)));
    }
  }

  private static int at(int step, int sample, int unit) {
    return (step * BATCH + sample) * HIDDEN + unit;
  }

  private static List<Op> ops(boolean reverse) {
    Pass pass = new Pass(reverse, true, true);
    return List.of(new Lstm(pass), new Gru(pass));
  }

  private static List<Tensor> inputs(TensorScope scope, Op op, int... lengths) {
    int rows = HIDDEN * (op instanceof Lstm ? 4 : 3);
    Generator g = new Generator(3);
    List<Tensor> in = new ArrayList<>();
    in.add(normal(scope, g, TIME, BATCH, INPUTS));
    in.add(normal(scope, g, rows, INPUTS));
    in.add(normal(scope, g, rows, HIDDEN));
    in.add(normal(scope, g, rows));
    in.add(normal(scope, g, rows));
    for (int state = 1; state < op.differentiableOutputs(); state++) {
      in.add(normal(scope, g, BATCH, HIDDEN));
    }
    double[] values = Arrays.stream(lengths).asDoubleStream().toArray();
    in.add(Tensor.of(scope, TensorSpec.of(DType.INT32, BATCH), values));
    return in;
  }

  private static Tensor normal(TensorScope scope, Generator g, int... shape) {
    TensorSpec spec = TensorSpec.of(DType.FP64, shape);
    return Tensor.of(scope, spec, Fill.normals().values(g, Math.toIntExact(spec.size())));
  }
}
