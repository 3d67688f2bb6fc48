package dev.halfcell.nn;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.halfcell.backend.Backend;
import dev.halfcell.backend.ReferenceBackend;
import dev.halfcell.tensor.ArgumentException;
import dev.halfcell.tensor.DType;
import dev.halfcell.tensor.Shape;
import dev.halfcell.tensor.ShapeException;
import dev.halfcell.tensor.Tensor;
import dev.halfcell.tensor.TensorScope;
import dev.halfcell.tensor.TensorSpec;
import dev.halfcell.tensor.UsageException;
import dev.halfcell.train.TrainState;
import java.util.ArrayList;
import java.util.Arrays;
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
    return run(net, expected, batchFirst, false, lengths);
  }

  private static double[] run(
      Cell net, Shape expected, boolean batchFirst, boolean training, double... lengths) {
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
      Tensor samples = Tensor.of(scope, TensorSpec.of(DType.INT64, BATCH), 4, 7);
      Tensor[] in =
          lengths.length == 0
              ? new Tensor[] {x}
              : new Tensor[] {x, Tensor.of(scope, TensorSpec.of(DType.INT32, BATCH), lengths)};
      Tensor y = new Recording(backend.eager(scope), state, net, samples, training).call(net, in);
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

  /** Runs a network over the first steps, and from where it stands there over the others. */
  private static final class TwoParts extends Cell {
    private final Cell net;
    private final boolean lengths;

    TwoParts(Cell net, boolean lengths) {
      this.net = wrapped(net);
      this.lengths = lengths;
    }

    @Override
    protected Tensor construct(Forward f, Tensor... in) {
      List<Tensor> parts = f.ops().split(in[0], 0, 3, TIME - 3);
      List<Tensor> first = f.callAll(net, parts.getFirst());
      List<Tensor> second = new ArrayList<>(List.of(parts.getLast()));
      second.addAll(first.subList(1, first.size()));
      if (lengths) {
        second.add(in[1]);
      }
      return f.ops().concat(0, first.getFirst(), f.call(net, second.toArray(Tensor[]::new)));
    }
  }

  @Test
  void lastStatesAreWhereASequenceGoesOn() {
    Recurrence how = PLAIN.withLayers(2);
    Shape shape = Shape.of(TIME, BATCH, HIDDEN);
    for (boolean lstm : new boolean[] {true, false}) {
      double[] whole = run(lstm ? new LSTM(how) : new GRU(how), shape, false);
      double[] parts = run(new TwoParts(lstm ? new LSTM(how) : new GRU(how), false), shape, false);
      assertArrayEquals(whole, parts, 1e-6);
      double[] limited =
          run(new TwoParts(lstm ? new LSTM(how) : new GRU(how), true), shape, false, 1, 0);
      int last = (TIME - 1) * BATCH * HIDDEN;
      assertEquals(whole[last], limited[last], 1e-6);
      assertEquals(0, limited[last + HIDDEN], "the second sample has no step left");
    }
  }

  /** The last states of a network: [layers · directions, N, hidden]. */
  private static final class State extends Cell {
    private final Cell net;
    private final int which;

    State(Cell net, int which) {
      this.net = wrapped(net);
      this.which = which;
    }

    @Override
    protected Tensor construct(Forward f, Tensor... in) {
      return f.callAll(net, in).get(which);
    }
  }

  @Test
  void lastStatesAreThoseOfEachLayerAndDirection() {
    Shape stacked = Shape.of(4, BATCH, HIDDEN);
    for (boolean lstm : new boolean[] {true, false}) {
      double[] all = run(new State(lstm ? new LSTM(DEEP) : new GRU(DEEP), 1), stacked, false);
      Recurrence last = DEEP.toLastState();
      double[] top = run(lstm ? new LSTM(last) : new GRU(last), Shape.of(BATCH, 10), false);
      for (int n = 0; n < BATCH; n++) {
        for (int j = 0; j < HIDDEN; j++) {
          assertEquals(top[n * 10 + j], all[(2 * BATCH + n) * HIDDEN + j]);
          assertEquals(top[n * 10 + HIDDEN + j], all[(3 * BATCH + n) * HIDDEN + j]);
        }
      }
    }
    run(new State(new LSTM(DEEP), 2), stacked, false);
    assertThrows(
        IndexOutOfBoundsException.class,
        () -> run(new State(new GRU(DEEP), 2), stacked, false),
        "a GRU carries one state");
  }

  @Test
  void dropoutBetweenLayersIsOfTheSampleAndOfTrainingOnly() {
    Shape shape = Shape.of(TIME, BATCH, HIDDEN);
    Recurrence how = PLAIN.withLayers(2);
    double[] without = run(new LSTM(how), shape, false, true);
    double[] training = run(new LSTM(how.withDropout(0.5)), shape, false, true);
    assertArrayEquals(without, run(new LSTM(how.withDropout(0.5)), shape, false, false));
    assertArrayEquals(training, run(new LSTM(how.withDropout(0.5)), shape, false, true));
    assertFalse(Arrays.equals(without, training));
    Shape swapped = Shape.of(BATCH, TIME, HIDDEN);
    double[] batchFirst = run(new LSTM(how.withDropout(0.5).withBatchFirst()), swapped, true, true);
    for (int t = 0; t < TIME; t++) {
      for (int n = 0; n < BATCH; n++) {
        assertEquals(
            training[(t * BATCH + n) * HIDDEN], batchFirst[(n * TIME + t) * HIDDEN], "same masks");
      }
    }
  }

  @Test
  void statesThatDoNotFitAreRefused() {
    for (Shape shape : List.of(Shape.of(3, BATCH, HIDDEN), Shape.of(2, BATCH, HIDDEN + 1))) {
      ShapeException e =
          assertThrows(ShapeException.class, () -> runFrom(new GRU(PLAIN.withLayers(2)), shape));
      assertEquals("initial states of [2, 2, 5]", e.problem().expected());
    }
    Shape fits = Shape.of(1, BATCH, HIDDEN);
    assertEquals(TIME * BATCH * HIDDEN, runFrom(new GRU(PLAIN), fits).length);
    UsageException e = assertThrows(UsageException.class, () -> runFrom(new LSTM(PLAIN), fits));
    assertEquals("3 inputs", e.problem().expected());
  }

  private static double[] runFrom(Cell net, Shape state) {
    try (TensorScope scope = TensorScope.open()) {
      Tensor x = scope.allocate(TensorSpec.of(DType.FP32, TIME, BATCH, INPUTS));
      return CellRun.evaluate(net, scope, x, scope.allocate(new TensorSpec(DType.FP32, state)));
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
    assertThrows(ArgumentException.class, () -> new LSTM(PLAIN.withDropout(0.5)));
    assertThrows(ArgumentException.class, () -> new LSTM(DEEP.withDropout(1)));
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
