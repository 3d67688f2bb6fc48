package dev.halfcell.nn;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.halfcell.backend.Backend;
import dev.halfcell.backend.ReferenceBackend;
import dev.halfcell.tensor.ArgumentException;
import dev.halfcell.tensor.DType;
import dev.halfcell.tensor.Shape;
import dev.halfcell.tensor.Tensor;
import dev.halfcell.tensor.TensorScope;
import dev.halfcell.tensor.TensorSpec;
import dev.halfcell.tensor.UsageException;
import dev.halfcell.train.TrainState;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class RecurrentLayersTest {
  private static final int TIME = 4;
  private static final int BATCH = 2;
  private static final int INPUTS = 3;
  private static final int HIDDEN = 5;
  private static final Recurrence PLAIN = Recurrence.of(INPUTS, HIDDEN);
  private static final Recurrence DEEP = PLAIN.withLayers(2).inBothDirections();

  private static List<Cell> cells(Recurrence how) {
    return List.of(new LSTM(how), new GRU(how));
  }

  /** The output over inputs that depend on step, sample and feature; seed 1. */
  private static double[] run(Cell net, Shape expected, boolean batchFirst, double... lengths) {
    try (TensorScope scope = TensorScope.open();
        Backend backend = new ReferenceBackend();
        TrainState state = TrainState.of(net, 1)) {
      Shape shape = batchFirst ? Shape.of(BATCH, TIME, INPUTS) : Shape.of(TIME, BATCH, INPUTS);
      double[] values = new double[TIME * BATCH * INPUTS];
      for (int t = 0; t < TIME; t++) {
        for (int n = 0; n < BATCH; n++) {
          for (int i = 0; i < INPUTS; i++) {
            int row = batchFirst ? n * TIME + t : t * BATCH + n;
            values[row * INPUTS + i] = Math.sin(1 + t + 7.0 * n + 13.0 * i);
          }
        }
      }
      Tensor x = Tensor.of(scope, new TensorSpec(DType.FP32, shape), values);
      Tensor samples = scope.allocate(TensorSpec.of(DType.INT64, BATCH));
      Tensor[] in =
          lengths.length == 0
              ? new Tensor[] {x}
              : new Tensor[] {x, Tensor.of(scope, TensorSpec.of(DType.INT32, BATCH), lengths)};
      Tensor y = new Recording(backend.eager(scope), state, net, samples, false).call(net, in);
      assertEquals(expected, y.shape());
      return y.toArray();
    }
  }

  @Test
  void returnsTheOutputOfEachStepOrTheLastState() {
    for (boolean lstm : new boolean[] {true, false}) {
      double[] y = run(lstm ? new LSTM(DEEP) : new GRU(DEEP), Shape.of(TIME, BATCH, 10), false);
      Recurrence last = DEEP.toLastState();
      double[] h = run(lstm ? new LSTM(last) : new GRU(last), Shape.of(BATCH, 10), false);
      for (int n = 0; n < BATCH; n++) {
        for (int j = 0; j < HIDDEN; j++) {
          int forward = n * 10 + j;
          assertEquals(y[(TIME - 1) * BATCH * 10 + forward], h[forward]);
          assertEquals(y[forward + HIDDEN], h[forward + HIDDEN], "the other way ends at step 0");
        }
      }
    }
  }

  @Test
  void batchFirstIsTheSameWithAxesSwapped() {
    for (boolean lstm : new boolean[] {true, false}) {
      Recurrence swapped = DEEP.withBatchFirst();
      double[] want = run(lstm ? new LSTM(DEEP) : new GRU(DEEP), Shape.of(TIME, BATCH, 10), false);
      double[] got =
          run(lstm ? new LSTM(swapped) : new GRU(swapped), Shape.of(BATCH, TIME, 10), true);
      for (int t = 0; t < TIME; t++) {
        for (int n = 0; n < BATCH; n++) {
          for (int j = 0; j < 10; j++) {
            assertEquals(want[(t * BATCH + n) * 10 + j], got[(n * TIME + t) * 10 + j]);
          }
        }
      }
    }
  }

  @Test
  void lengthsSilenceWhatIsBehindTheEnd() {
    for (Cell cell : cells(DEEP)) {
      double[] y = run(cell, Shape.of(TIME, BATCH, 10), false, TIME, 2);
      for (int t = 0; t < TIME; t++) {
        for (int n = 0; n < BATCH; n++) {
          boolean behind = n == 1 && t >= 2;
          assertEquals(behind, y[(t * BATCH + n) * 10] == 0, "step " + t + " of sample " + n);
        }
      }
    }
  }

  @Test
  void parametersAreNamedAsElsewhere() {
    assertEquals(
        Stream.of("_l0", "_l0_reverse", "_l1", "_l1_reverse")
            .flatMap(
                end ->
                    Stream.of("weight_ih", "weight_hh", "bias_ih", "bias_hh")
                        .map(name -> name + end))
            .toList(),
        new LSTM(DEEP).parameters().stream().map(Parameter::name).toList());
    assertEquals(List.of(20, 10), new LSTM(DEEP).parameters().get(8).spec().shape().dims());
    assertEquals(List.of(15, 3), new GRU(DEEP).parameters().getFirst().spec().shape().dims());
    long parameters = new LSTM(PLAIN).parameters().stream().mapToLong(p -> p.spec().size()).sum();
    assertEquals(4 * HIDDEN * (INPUTS + HIDDEN + 2), parameters);
  }

  @Test
  void wrongArgumentsAreRefused() {
    assertThrows(ArgumentException.class, () -> new LSTM(0, 3));
    assertThrows(ArgumentException.class, () -> new GRU(3, 0));
    assertThrows(ArgumentException.class, () -> PLAIN.withLayers(0));
    Cell net = new LSTM(PLAIN);
    Cell without =
        new Cell() {
          private final Cell inner = child("lstm", net);

          @Override
          protected Tensor construct(Forward f, Tensor... in) {
            return f.call(inner);
          }
        };
    assertThrows(UsageException.class, () -> run(without, Shape.SCALAR, false));
  }
}
