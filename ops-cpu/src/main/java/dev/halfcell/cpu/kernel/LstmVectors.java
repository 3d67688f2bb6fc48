package dev.halfcell.cpu.kernel;

import static dev.halfcell.cpu.kernel.FloatVectors.FLOATS;
import static dev.halfcell.cpu.kernel.Transfers.MEMORY;

import java.nio.ByteOrder;
import jdk.incubator.vector.FloatVector;

/**
 * What {@link LstmGates} does in a step, in vectors and on numbers where they lie, with the same
 * bits. Numbers at addresses are FP32. For one thread; only where {@link #suit} holds.
 */
final class LstmVectors {
  private static final int LENGTH = FLOATS.length();
  private static final ByteOrder ORDER = ByteOrder.nativeOrder();

  private final Activations activations = Activations.make();
  private final int hidden;
  private final float[] made;
  private final float[] tanh;

  LstmVectors(int hidden) {
    this.hidden = hidden;
    this.made = new float[4 * hidden];
    this.tanh = new float[hidden];
  }

  /** Whether so many units can be computed here, where {@link VectorModule#usable} holds. */
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
      sum(a + at, biasX.values[gate], q + at, biasH.values[gate], gate * hidden);
    }
    activations.sigmoid(made, 0, 2 * hidden);
    activations.tanh(made, 2 * hidden, 3 * hidden);
    activations.sigmoid(made, 3 * hidden, 4 * hidden);
    Transfers.write(made, to, made.length);
  }

  /** (a + biasX) + (q + biasH). */
  private void sum(long a, float[] biasX, long q, float[] biasH, int to) {
    for (int i = 0; i < hidden; i += LENGTH) {
      FloatVector ofX =
          FloatVector.fromMemorySegment(FLOATS, MEMORY, a + 4L * i, ORDER)
              .add(FloatVector.fromArray(FLOATS, biasX, i));
      FloatVector ofH =
          FloatVector.fromMemorySegment(FLOATS, MEMORY, q + 4L * i, ORDER)
              .add(FloatVector.fromArray(FLOATS, biasH, i));
      ofX.add(ofH).intoArray(made, to + i);
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
    activations.tanh(tanh, 0, hidden);
    output(gates + 12L * hidden, h);
  }

  /** c' = f · c + i · g, of which the tangent is to be made. */
  private void cell(long gates, long before, long to) {
    long forget = gates + 4L * hidden;
    long candidate = gates + 8L * hidden;
    for (int i = 0; i < hidden; i += LENGTH) {
      long at = 4L * i;
      FloatVector kept =
          FloatVector.fromMemorySegment(FLOATS, MEMORY, forget + at, ORDER)
              .mul(FloatVector.fromMemorySegment(FLOATS, MEMORY, before + at, ORDER));
      FloatVector added =
          FloatVector.fromMemorySegment(FLOATS, MEMORY, gates + at, ORDER)
              .mul(FloatVector.fromMemorySegment(FLOATS, MEMORY, candidate + at, ORDER));
      FloatVector c = kept.add(added);
      c.intoMemorySegment(MEMORY, to + at, ORDER);
      c.intoArray(tanh, i);
    }
  }

  /** h = tanh(c') · o. */
  private void output(long o, float[] h) {
    for (int i = 0; i < hidden; i += LENGTH) {
      FloatVector.fromArray(FLOATS, tanh, i)
          .mul(FloatVector.fromMemorySegment(FLOATS, MEMORY, o + 4L * i, ORDER))
          .intoArray(h, i);
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
    Transfers.read(step.state(), tanh, hidden);
    activations.tanh(tanh, 0, hidden);
    backOfOutput(step.gates() + 12L * hidden, dy, dh, dc, da[3], h);
    backOfCell(step.gates(), before, dc, da);
  }

  /** What comes through h = o · tanh c. */
  private void backOfOutput(long o, float[] dy, long dh, long dc, float[] d, float[] h) {
    for (int i = 0; i < hidden; i += LENGTH) {
      long at = 4L * i;
      FloatVector ofC = FloatVector.fromArray(FLOATS, tanh, i);
      FloatVector gate = FloatVector.fromMemorySegment(FLOATS, MEMORY, o + at, ORDER);
      FloatVector slope =
          FloatVector.fromMemorySegment(FLOATS, MEMORY, dh + at, ORDER)
              .add(FloatVector.fromArray(FLOATS, dy, i));
      FloatVector one = FloatVector.broadcast(FLOATS, 1);
      FloatVector ofState = slope.mul(gate).mul(one.sub(ofC.mul(ofC)));
      FloatVector.fromMemorySegment(FLOATS, MEMORY, dc + at, ORDER)
          .add(ofState)
          .intoMemorySegment(MEMORY, dc + at, ORDER);
      slope.mul(ofC).mul(gate).mul(one.sub(gate)).intoArray(d, i);
      FloatVector.zero(FLOATS).intoMemorySegment(MEMORY, dh + at, ORDER);
      ofC.mul(gate).intoArray(h, i);
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
      long at = 4L * j;
      FloatVector one = FloatVector.broadcast(FLOATS, 1);
      FloatVector slope = FloatVector.fromMemorySegment(FLOATS, MEMORY, dc + at, ORDER);
      FloatVector i = FloatVector.fromMemorySegment(FLOATS, MEMORY, gates + at, ORDER);
      FloatVector f = FloatVector.fromMemorySegment(FLOATS, MEMORY, forget + at, ORDER);
      FloatVector g = FloatVector.fromMemorySegment(FLOATS, MEMORY, candidate + at, ORDER);
      slope.mul(g).mul(i).mul(one.sub(i)).intoArray(di, j);
      slope.mul(FloatVector.fromArray(FLOATS, c, j)).mul(f).mul(one.sub(f)).intoArray(df, j);
      slope.mul(i).mul(one.sub(g.mul(g))).intoArray(dg, j);
      slope.mul(f).intoMemorySegment(MEMORY, dc + at, ORDER);
    }
  }
}
