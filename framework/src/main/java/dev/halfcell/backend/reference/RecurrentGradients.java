package dev.halfcell.backend.reference;

import java.util.ArrayList;
import java.util.List;

/** The gradients that the backward pass of a recurrent op adds up, step by step. */
final class RecurrentGradients {
  private final Sequences of;
  private final double[] dx;
  private final double[] dweightX;
  private final double[] dweightH;
  private final double[] dbiasX;
  private final double[] dbiasH;
  private final List<double[]> dstates = new ArrayList<>();

  RecurrentGradients(Sequences of, int states) {
    this.of = of;
    dx = new double[of.x.length];
    dweightX = new double[of.weightX.length];
    dweightH = new double[of.weightH.length];
    dbiasX = new double[of.biasX.length];
    dbiasH = new double[of.biasH.length];
    for (int i = 0; i < states; i++) {
      dstates.add(new double[of.batch * of.hidden]);
    }
  }

  /**
   * Takes in one step.
   *
   * @param row which one
   * @param da the gradient of weightX · x + biasX
   * @param dq the gradient of weightH · h + biasH
   * @param h the state before the step
   */
  void step(int row, double[] da, double[] dq, double[] h) {
    Sequences.put(Sequences.transposed(of.weightX, da, of.inputs), dx, row);
    Sequences.addOuter(dweightX, da, Sequences.row(of.x, row, of.inputs));
    Sequences.addOuter(dweightH, dq, h);
    Sequences.add(dbiasX, da);
    Sequences.add(dbiasH, dq);
  }

  /** Takes in the gradient of an initial state of a sample. */
  void initial(int which, int sample, double[] gradient) {
    Sequences.put(gradient, dstates.get(which), sample);
  }

  /** In the order of the op's inputs. */
  List<double[]> all() {
    List<double[]> all = new ArrayList<>(List.of(dx, dweightX, dweightH, dbiasX, dbiasH));
    if (of.stateful()) {
      all.addAll(dstates);
    }
    return all;
  }
}
