package dev.halfcell.cpu.kernel;

import static dev.halfcell.cpu.kernel.Transfers.MEMORY;

import java.nio.ByteOrder;
import jdk.incubator.vector.DoubleVector;
import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.VectorOperators;
import jdk.incubator.vector.VectorShape;
import jdk.incubator.vector.VectorSpecies;

/**
 * What {@link LstmGates} does in a step, in vectors and on numbers where they lie, with the same
 * bits. Numbers at addresses are FP32. For one thread; only where {@link #suit} holds.
 */
final class LstmVectors {
  private static final VectorSpecies<Double> DOUBLES = DoubleVector.SPECIES_PREFERRED;

  /** As many floats as there are doubles. */
  private static final VectorSpecies<Float> FLOATS =
      VectorSpecies.of(float.class, VectorShape.forBitSize(DOUBLES.vectorBitSize() / 2));

  private static final int LENGTH = DOUBLES.length();
  private static final ByteOrder ORDER = ByteOrder.nativeOrder();

  private final Exponentials exponentials = Exponentials.make();
  private final int hidden;
  private final double[] e;

  LstmVectors(int hidden) {
    this.hidden = hidden;
    this.e = new double[hidden];
  }

  /** Whether so many units can be computed here, where {@link VectorModule#present} holds. */
  static boolean suit(int hidden) {
    return hidden % LENGTH == 0;
  }

  /**
   * Computes all gates of a sample.
   *
   * @param a where weightX · x of it lies
   * @param q where weightH · h does
   * @param to where gates are put
   */
  void gates(long a, Gates biasX, long q, Gates biasH, long to) {
    for (int gate = 0; gate < 4; gate++) {
      long at = 4L * gate * hidden;
      boolean tanh = gate == 2;
      double by = tanh ? 2 : -1;
      double most = tanh ? 2 * Activations.FAR : Double.POSITIVE_INFINITY;
      sum(a + at, biasX.values[gate], q + at, biasH.values[gate], by, most);
      if (tanh) {
        exponentials.lessOne(e, hidden);
        ratio(e, to + at, hidden);
      } else {
        exponentials.of(e, hidden);
        logistic(e, to + at, hidden);
      }
    }
  }

  /** e = by · ((a + biasX) + (q + biasH)), at most {@code most} in size. */
  private void sum(long a, float[] biasX, long q, float[] biasH, double by, double most) {
    for (int i = 0; i < hidden; i += LENGTH) {
      FloatVector ofX =
          FloatVector.fromMemorySegment(FLOATS, MEMORY, a + 4L * i, ORDER)
              .add(FloatVector.fromArray(FLOATS, biasX, i));
      FloatVector ofH =
          FloatVector.fromMemorySegment(FLOATS, MEMORY, q + 4L * i, ORDER)
              .add(FloatVector.fromArray(FLOATS, biasH, i));
      DoubleVector sum =
          ((DoubleVector) ofX.add(ofH).convertShape(VectorOperators.F2D, DOUBLES, 0)).mul(by);
      sum.blend(-most, sum.compare(VectorOperators.LT, -most))
          .blend(most, sum.compare(VectorOperators.GT, most))
          .intoArray(e, i);
    }
  }

  private static void logistic(double[] e, long to, int count) {
    for (int i = 0; i < count; i += LENGTH) {
      DoubleVector one = DoubleVector.broadcast(DOUBLES, 1);
      DoubleVector logistic = one.div(DoubleVector.fromArray(DOUBLES, e, i).add(1));
      ((FloatVector) logistic.convertShape(VectorOperators.D2F, FLOATS, 0))
          .intoMemorySegment(MEMORY, to + 4L * i, ORDER);
    }
  }

  /** From e²ˣ − 1 to tanh x. */
  private static void ratio(double[] e, long to, int count) {
    for (int i = 0; i < count; i += LENGTH) {
      DoubleVector less = DoubleVector.fromArray(DOUBLES, e, i);
      ((FloatVector) less.div(less.add(2)).convertShape(VectorOperators.D2F, FLOATS, 0))
          .intoMemorySegment(MEMORY, to + 4L * i, ORDER);
    }
  }

  /**
   * Computes the states of a sample from its gates.
   *
   * @param before where the cell state before lies
   * @param to where the new one is put
   * @param h what becomes the output
   */
  void states(long gates, long before, long to, float[] h) {
    cell(gates, before, to);
    exponentials.lessOne(e, hidden);
    output(gates + 12L * hidden, h);
  }

  /** c' = f · c + i · g, and e becomes twice that, which the tangent is made from. */
  private void cell(long gates, long before, long to) {
    long forget = gates + 4L * hidden;
    long candidate = gates + 8L * hidden;
    double most = 2 * Activations.FAR;
    for (int i = 0; i < hidden; i += LENGTH) {
      FloatVector kept =
          FloatVector.fromMemorySegment(FLOATS, MEMORY, forget + 4L * i, ORDER)
              .mul(FloatVector.fromMemorySegment(FLOATS, MEMORY, before + 4L * i, ORDER));
      FloatVector added =
          FloatVector.fromMemorySegment(FLOATS, MEMORY, gates + 4L * i, ORDER)
              .mul(FloatVector.fromMemorySegment(FLOATS, MEMORY, candidate + 4L * i, ORDER));
      FloatVector c = kept.add(added);
      c.intoMemorySegment(MEMORY, to + 4L * i, ORDER);
      DoubleVector twice = ((DoubleVector) c.convertShape(VectorOperators.F2D, DOUBLES, 0)).mul(2);
      twice
          .blend(-most, twice.compare(VectorOperators.LT, -most))
          .blend(most, twice.compare(VectorOperators.GT, most))
          .intoArray(e, i);
    }
  }

  /**
   * What was saved of a step of a sample.
   *
   * @param gates where its gates lie
   * @param state where the cell state after it lies
   */
  record Saved(long gates, long state) {}

  /**
   * Goes one step back for a sample.
   *
   * @param step what was saved of it
   * @param before the cell state before the step
   * @param dy the gradient of the step's output
   * @param dh where that of h lies, to which dy is added; 0 is put there
   * @param dc where that of the cell state after the step lies; that of the one before is put there
   * @param da what becomes the gradient of what went into the gates
   * @param h what becomes the output
   */
  void back(Saved step, float[] before, float[] dy, long dh, long dc, float[][] da, float[] h) {
    twice(step.state());
    exponentials.lessOne(e, hidden);
    backOfOutput(step.gates() + 12L * hidden, dy, dh, dc, da[3], h);
    backOfCell(step.gates(), before, dc, da);
  }

  /** e becomes twice a cell state. */
  private void twice(long c) {
    double most = 2 * Activations.FAR;
    for (int i = 0; i < hidden; i += LENGTH) {
      FloatVector given = FloatVector.fromMemorySegment(FLOATS, MEMORY, c + 4L * i, ORDER);
      DoubleVector twice =
          ((DoubleVector) given.convertShape(VectorOperators.F2D, DOUBLES, 0)).mul(2);
      twice
          .blend(-most, twice.compare(VectorOperators.LT, -most))
          .blend(most, twice.compare(VectorOperators.GT, most))
          .intoArray(e, i);
    }
  }

  /** What comes through h = o · tanh c. */
  private void backOfOutput(long o, float[] dy, long dh, long dc, float[] d, float[] h) {
    for (int i = 0; i < hidden; i += LENGTH) {
      DoubleVector less = DoubleVector.fromArray(DOUBLES, e, i);
      FloatVector tanh =
          (FloatVector) less.div(less.add(2)).convertShape(VectorOperators.D2F, FLOATS, 0);
      FloatVector gate = FloatVector.fromMemorySegment(FLOATS, MEMORY, o + 4L * i, ORDER);
      FloatVector slope =
          FloatVector.fromMemorySegment(FLOATS, MEMORY, dh + 4L * i, ORDER)
              .add(FloatVector.fromArray(FLOATS, dy, i));
      FloatVector one = FloatVector.broadcast(FLOATS, 1);
      FloatVector.fromMemorySegment(FLOATS, MEMORY, dc + 4L * i, ORDER)
          .add(slope.mul(gate).mul(one.sub(tanh.mul(tanh))))
          .intoMemorySegment(MEMORY, dc + 4L * i, ORDER);
      slope.mul(tanh).mul(gate).mul(one.sub(gate)).intoArray(d, i);
      FloatVector.zero(FLOATS).intoMemorySegment(MEMORY, dh + 4L * i, ORDER);
      tanh.mul(gate).intoArray(h, i);
    }
  }

  /** What comes through c' = f · c + i · g. */
  private void backOfCell(long gates, float[] c, long dc, float[][] da) {
    long forget = gates + 4L * hidden;
    long candidate = gates + 8L * hidden;
    float[] di = da[0];
    float[] df = da[1];
    float[] dg = da[2];
    for (int j = 0; j < hidden; j += LENGTH) {
      FloatVector one = FloatVector.broadcast(FLOATS, 1);
      FloatVector slope = FloatVector.fromMemorySegment(FLOATS, MEMORY, dc + 4L * j, ORDER);
      FloatVector i = FloatVector.fromMemorySegment(FLOATS, MEMORY, gates + 4L * j, ORDER);
      FloatVector f = FloatVector.fromMemorySegment(FLOATS, MEMORY, forget + 4L * j, ORDER);
      FloatVector g = FloatVector.fromMemorySegment(FLOATS, MEMORY, candidate + 4L * j, ORDER);
      slope.mul(g).mul(i).mul(one.sub(i)).intoArray(di, j);
      slope.mul(FloatVector.fromArray(FLOATS, c, j)).mul(f).mul(one.sub(f)).intoArray(df, j);
      slope.mul(i).mul(one.sub(g.mul(g))).intoArray(dg, j);
      slope.mul(f).intoMemorySegment(MEMORY, dc + 4L * j, ORDER);
    }
  }

  /** h = tanh(c') · o. */
  private void output(long o, float[] h) {
    for (int i = 0; i < hidden; i += LENGTH) {
      DoubleVector less = DoubleVector.fromArray(DOUBLES, e, i);
      ((FloatVector) less.div(less.add(2)).convertShape(VectorOperators.D2F, FLOATS, 0))
          .mul(FloatVector.fromMemorySegment(FLOATS, MEMORY, o + 4L * i, ORDER))
          .intoArray(h, i);
    }
  }
}
