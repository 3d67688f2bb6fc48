package dev.halfcell.cpu.kernel;

import dev.halfcell.op.CellPath;
import dev.halfcell.op.recurrent.Recurrent;
import dev.halfcell.tensor.DType;
import dev.halfcell.tensor.Elements;
import java.util.Arrays;
import java.util.List;

/**
 * Where the steps of each sample stand in tensors [T, N, ...]. {@link #read} comes first in every
 * run.
 */
final class SampleSteps {
  private final Recurrent op;
  private final List<Operand> in;
  private final CellPath at;
  private final int[] lengths;

  /** That of x, and of all that leaves the op but what is saved. */
  final DType dtype;

  final int time;
  final int batch;
  final int inputs;
  final int hidden;

  /** {@code in} are the inputs of an op that is not a gradient. */
  SampleSteps(Recurrent op, List<Operand> in, CellPath at) {
    this.op = op;
    this.in = in;
    this.at = at;
    dtype = in.getFirst().dtype();
    time = in.getFirst().spec().dim(0);
    batch = in.getFirst().spec().dim(1);
    inputs = in.getFirst().spec().dim(2);
    hidden = in.get(2).spec().dim(1);
    lengths = new int[batch];
    Arrays.fill(lengths, time);
  }

  /** Takes over the lengths, if there are any. */
  void read() {
    if (ragged()) {
      Operand given = in.getLast();
      for (int n = 0; n < batch; n++) {
        long length = (long) Elements.get(given.region().data(), given.dtype(), n);
        lengths[n] = op.requireLength(length, n, time, at);
      }
    }
  }

  /** Whether samples may end before the last step. */
  boolean ragged() {
    return op.pass().lengths();
  }

  /** Whether initial states are given. */
  boolean stateful() {
    return op.pass().stateful();
  }

  /** The step that is walked as number {@code turn}. */
  int step(int turn) {
    return op.pass().reverse() ? time - 1 - turn : turn;
  }

  /** Whether a sample has this step. */
  boolean has(int step, int sample) {
    return step >= 0 && step < lengths[sample];
  }

  /** The step that a sample walks before this one; it may be one that it does not have. */
  int before(int step) {
    return step - op.pass().step();
  }

  /** The step that a sample walks after this one; it may be one that it does not have. */
  int after(int step) {
    return step + op.pass().step();
  }

  /** The row of [T, N, ...] that belongs to a step of a sample. */
  int row(int step, int sample) {
    return step * batch + sample;
  }
}
