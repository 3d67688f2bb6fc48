package dev.halfcell.testkit;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.halfcell.backend.Backend;
import dev.halfcell.backend.ReferenceBackend;
import dev.halfcell.op.recurrent.Gru;
import dev.halfcell.op.recurrent.Layer;
import dev.halfcell.op.recurrent.Lstm;
import dev.halfcell.op.recurrent.Pass;
import dev.halfcell.tensor.DType;
import dev.halfcell.tensor.Shape;
import dev.halfcell.tensor.Tensor;
import dev.halfcell.tensor.TensorScope;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * What recurrent ops hold on every backend in the half dtypes, where the state is rounded between
 * steps, and the gradients of gates before they are multiplied. What follows from a result that was
 * rounded is held to that very result, so that a rounding to the other side does not count.
 */
public abstract class RecurrentContract extends OnBackend {
  private static final double NEAR = 1e-5;

  static Stream<Arguments> layers() {
    Pass ragged = new Pass(false, true, true);
    Pass back = new Pass(true, true, true);
    return Stream.of(DType.FP16, DType.BF16)
        .flatMap(
            half ->
                Stream.of(Pass.FORWARD, ragged, back)
                    .flatMap(
                        pass ->
                            Stream.of(
                                Arguments.of(half, new Lstm(pass)),
                                Arguments.of(half, new Gru(pass)))));
  }

  /** Sizes of a layer, and how large its weights are. */
  private record Size(int time, int batch, int inputs, int hidden, double weights) {}

  /** Inputs of an op, and what it made of them. */
  private record Ran(Layer op, Size size, List<Tensor> in, List<Tensor> out) {
    int states() {
      return op.states();
    }

    Tensor gates() {
      return out.get(1 + states());
    }

    Tensor kept() {
      return out.get(2 + states());
    }

    /** The steps of a sample in the order in which they are walked. */
    int[] steps(int n) {
      int length = op.pass().lengths() ? (int) in.getLast().at(n) : size.time;
      int first = op.pass().first(length);
      return IntStream.range(0, length).map(i -> first + i * op.pass().step()).toArray();
    }

    /** An initial state of a sample. */
    double[] initial(int which, int n) {
      return op.pass().stateful() ? row(in.get(5 + which), n) : new double[size.hidden];
    }

    int place(int step, int n) {
      return step * size.batch + n;
    }

    /** bias + weight · vector, of the input or of the state. */
    double[] sum(int weight, double[] vector) {
      double[] sum = in.get(weight + 2).toArray();
      double[] matrix = in.get(weight).toArray();
      for (int i = 0; i < matrix.length; i++) {
        sum[i / vector.length] += matrix[i] * vector[i % vector.length];
      }
      return sum;
    }
  }

  private static double[] row(Tensor x, int number) {
    int width = x.spec().dim(x.spec().rank() - 1);
    return Arrays.copyOfRange(x.toArray(), number * width, (number + 1) * width);
  }

  private static double sigmoid(double x) {
    return 1 / (1 + Math.exp(-x));
  }

  private static List<Tensor> inputs(TensorScope scope, DType half, Layer op, Size size) {
    Fill weights = Fill.normals().map(v -> v * size.weights);
    int rows = op.gates() * size.hidden;
    Shape state = Shape.of(size.batch, size.hidden);
    List<Argument> all = new ArrayList<>();
    all.add(Argument.data(Shape.of(size.time, size.batch, size.inputs), Fill.normals()));
    all.add(Argument.data(Shape.of(rows, size.inputs), weights));
    all.add(Argument.data(Shape.of(rows, size.hidden), weights));
    all.addAll(Collections.nCopies(2, Argument.data(Shape.of(rows), weights)));
    if (op.pass().stateful()) {
      all.addAll(Collections.nCopies(op.states(), Argument.data(state, Fill.normals())));
    }
    if (op.pass().lengths()) {
      // The first is as long as x, the second has no step.
      Fill lengths =
          (g, count) ->
              IntStream.range(0, count)
                  .mapToDouble(n -> n == 0 ? size.time : n == 1 ? 0 : g.integer(1, size.time))
                  .toArray();
      all.add(Argument.fixed(DType.INT32, Shape.of(size.batch), lengths));
    }
    Generator generator = new Generator(Generator.seed());
    return all.stream().map(each -> each.tensor(scope, half, generator)).toList();
  }

  private Ran run(Backend on, DType half, Layer op, Size size) {
    List<Tensor> in = inputs(scope(), half, op, size);
    return new Ran(op, size, in, OpTrial.run(on, scope(), op, in));
  }

  /** Weights of 2 make of a rounding that is left out a difference that is seen. */
  @ParameterizedTest
  @MethodSource("layers")
  final void eachStepStartsFromTheOutputBeforeAsItIsRounded(DType half, Layer op) {
    Ran ran = run(backend(), half, op, new Size(5, 4, 3, 6, 2));
    for (int n = 0; n < ran.size.batch; n++) {
      double[] h = ran.initial(0, n);
      double[] before = ran.initial(op.states() - 1, n);
      for (int step : ran.steps(n)) {
        String what = op + " in " + half + ", step " + step + " of sample " + n;
        int row = ran.place(step, n);
        double[] a = ran.sum(1, row(ran.in.getFirst(), row));
        double[] q = ran.sum(2, h);
        double[] gates = row(ran.gates(), row);
        double[] kept = row(ran.kept(), row);
        double[] y = row(ran.out.getFirst(), row);
        if (op instanceof Lstm) {
          near(lstm(a, q), gates, what);
          near(cell(gates, before), kept, what);
          rounded(half, output(gates, kept), y, what);
        } else {
          near(gru(a, q, gates), gates, what);
          rounded(half, update(gates, h), y, what);
          assertArrayEquals(y, kept, what);
        }
        h = y;
        before = kept;
      }
    }
  }

  private static double[] lstm(double[] a, double[] q) {
    int hidden = a.length / 4;
    return IntStream.range(0, a.length)
        .mapToDouble(i -> i / hidden == 2 ? Math.tanh(a[i] + q[i]) : sigmoid(a[i] + q[i]))
        .toArray();
  }

  private static double[] gru(double[] a, double[] q, double[] gates) {
    int hidden = a.length / 3;
    return IntStream.range(0, 4 * hidden)
        .mapToDouble(
            i ->
                switch (i / hidden) {
                  case 0, 1 -> sigmoid(a[i] + q[i]);
                  case 2 -> Math.tanh(a[i] + gates[i - 2 * hidden] * q[i]);
                  default -> q[i - hidden];
                })
        .toArray();
  }

  private static double[] cell(double[] gates, double[] before) {
    int hidden = before.length;
    return IntStream.range(0, hidden)
        .mapToDouble(j -> gates[hidden + j] * before[j] + gates[j] * gates[2 * hidden + j])
        .toArray();
  }

  private static double[] output(double[] gates, double[] cell) {
    int hidden = cell.length;
    return IntStream.range(0, hidden)
        .mapToDouble(j -> gates[3 * hidden + j] * Math.tanh(cell[j]))
        .toArray();
  }

  private static double[] update(double[] gates, double[] h) {
    int hidden = h.length;
    return IntStream.range(0, hidden)
        .mapToDouble(
            j -> (1 - gates[hidden + j]) * gates[2 * hidden + j] + gates[hidden + j] * h[j])
        .toArray();
  }

  private static void rounded(DType half, double[] exact, double[] got, String what) {
    for (int j = 0; j < exact.length; j++) {
      boolean allowed = Tolerance.of(half, 1).allows(half.round(exact[j]), got[j]);
      assertTrue(allowed, what + ": expected " + exact[j] + ", got " + got[j]);
      assertEquals(half.round(got[j]), got[j], what);
    }
  }

  private static void near(double[] want, double[] got, String what) {
    for (int i = 0; i < want.length; i++) {
      assertEquals(want[i], got[i], NEAR * (1 + Math.abs(want[i])), what + ", element " + i);
    }
  }

  /** Of a single step: the gradients of biases are then those of the gates themselves. */
  @ParameterizedTest
  @MethodSource("layers")
  final void gradientsOfGatesAreRoundedBeforeTheyAreMultiplied(DType half, Layer op) {
    Ran ran = run(backend(), half, op, new Size(1, 1, 5, 6, 0.5));
    List<double[]> d = gradients(backend(), ran, half).stream().map(Tensor::toArray).toList();
    double[] da = d.get(3);
    double[] dq = d.get(4);
    for (int i = 0; i < da.length; i++) {
      assertEquals(half.round(da[i]), da[i], "da " + i);
      assertEquals(half.round(dq[i]), dq[i], "dq " + i);
    }
    outer(da, row(ran.in.getFirst(), 0), d.get(1));
    outer(dq, ran.initial(0, 0), d.get(2));
    near(transposed(ran.in.get(1), da), d.getFirst(), "dx");
    if (op.pass().stateful()) {
      double[] through = transposed(ran.in.get(2), dq);
      for (int j = 0; j < through.length && op instanceof Gru; j++) {
        double dh = seed(ran, half, 0).at(j) + seed(ran, half, 1).at(j);
        through[j] += dh * ran.gates().at(through.length + j);
      }
      near(through, d.get(5), "dh");
    }
  }

  /** The gradient that comes to an output. */
  private Tensor seed(Ran ran, DType half, int output) {
    Argument seed = Argument.data(ran.out.get(output).shape(), Fill.normals());
    return seed.tensor(scope(), half, new Generator(output));
  }

  /** Before they are rounded. */
  private List<Tensor> gradients(Backend on, Ran ran, DType half) {
    List<Tensor> in = new ArrayList<>();
    for (int output = 0; output <= ran.states(); output++) {
      in.add(seed(ran, half, output));
    }
    in.add(ran.gates());
    in.add(ran.kept());
    in.addAll(ran.in);
    int leading = ran.in.size() - (ran.op.pass().lengths() ? 1 : 0);
    List<Boolean> wide = Collections.nCopies(leading, true);
    return OpTrial.run(on, scope(), ran.op.gradientOp(wide), in);
  }

  private static void outer(double[] column, double[] row, double[] got) {
    for (int i = 0; i < got.length; i++) {
      double product = column[i / row.length] * row[i % row.length];
      assertEquals(product + 0.0, got[i] + 0.0, "element " + i); // a zero has no sign here
    }
  }

  private static double[] transposed(Tensor matrix, double[] vector) {
    int columns = matrix.spec().dim(1);
    double[] sums = new double[columns];
    for (int i = 0; i < columns * vector.length; i++) {
      sums[i % columns] += matrix.at(i) * vector[i / columns];
    }
    return sums;
  }

  /**
   * A rounding to the other side is rare, and what follows from it small, so that whole tensors
   * differ by much less than if some rounding were left out.
   */
  @ParameterizedTest
  @MethodSource("layers")
  final void longSequencesAreThoseOfTheReference(DType half, Layer op) {
    Size size = new Size(64, 5, 24, 64, 0.0625);
    Backend reference = new ReferenceBackend();
    Ran want = run(reference, half, op, size);
    Ran got = run(backend(), half, op, size);
    String what = op + " in " + half;
    alike(half, List.of(want.gates(), want.kept()), List.of(got.gates(), got.kept()), what);
    alike(half, gradients(reference, want, half), gradients(backend(), got, half), what);
  }

  private static void alike(DType half, List<Tensor> want, List<Tensor> got, String what) {
    double unit = Tolerance.unit(half);
    for (int i = 0; i < want.size(); i++) {
      double square = 0;
      double difference = 0;
      for (int j = 0; j < want.get(i).spec().size(); j++) {
        square += Math.pow(want.get(i).at(j), 2);
        difference += Math.pow(want.get(i).at(j) - got.get(i).at(j), 2);
      }
      double share = Math.sqrt(difference / square) / unit;
      assertTrue(share < 0.2, what + ", tensor " + i + ": " + share + " units off");
    }
  }
}
