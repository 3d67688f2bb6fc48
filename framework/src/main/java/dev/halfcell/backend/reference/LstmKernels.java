package dev.halfcell.backend.reference;

import static dev.halfcell.backend.reference.Sequences.put;
import static dev.halfcell.backend.reference.Sequences.row;
import static dev.halfcell.backend.reference.Sequences.sigmoid;

import dev.halfcell.tensor.Tensor;
import java.util.List;

final class LstmKernels {
  private LstmKernels() {}

  static List<double[]> forward(Sequences s) {
    double[] y = new double[s.time * s.batch * s.hidden];
    double[] gates = new double[4 * y.length];
    double[] states = new double[y.length];
    double[] lastH = new double[s.batch * s.hidden];
    double[] lastC = new double[s.batch * s.hidden];
    for (int n = 0; n < s.batch; n++) {
      double[] h = s.initial(0, n);
      double[] c = s.initial(1, n);
      for (int t : s.steps(n)) {
        double[] gate = gates(s, row(s.x, s.row(t, n), s.inputs), h);
        for (int j = 0; j < s.hidden; j++) {
          c[j] = gate[s.hidden + j] * c[j] + gate[j] * gate[2 * s.hidden + j];
          h[j] = s.rounded(gate[3 * s.hidden + j] * Math.tanh(c[j]));
        }
        put(gate, gates, s.row(t, n));
        put(c, states, s.row(t, n));
        put(h, y, s.row(t, n));
      }
      put(h, lastH, n);
      put(c, lastC, n);
    }
    return List.of(y, lastH, lastC, gates, states);
  }

  private static double[] gates(Sequences s, double[] x, double[] h) {
    double[] a = Sequences.product(s.weightX, x, s.biasX);
    Sequences.add(a, Sequences.product(s.weightH, h, s.biasH));
    return Loops.fill(
        a.length, i -> i / s.hidden == 2 ? Math.tanh(a[i]) : sigmoid(a[i])); // i, f, g, o
  }

  static List<double[]> backward(List<Tensor> in, Sequences s) {
    double[] dy = in.get(0).toArray();
    double[] gates = in.get(3).toArray();
    double[] states = in.get(4).toArray();
    RecurrentGradients gradients = new RecurrentGradients(s, 2);
    for (int n = 0; n < s.batch; n++) {
      double[] dh = row(in.get(1).toArray(), n, s.hidden);
      double[] dc = row(in.get(2).toArray(), n, s.hidden);
      int[] steps = s.steps(n);
      for (int i = steps.length - 1; i >= 0; i--) {
        int row = s.row(steps[i], n);
        double[] gate = row(gates, row, 4 * s.hidden);
        double[] h = s.initial(0, n);
        double[] c = s.initial(1, n);
        if (i > 0) {
          int before = s.row(steps[i - 1], n);
          double[] output = row(gates, before, 4 * s.hidden);
          c = row(states, before, s.hidden);
          for (int j = 0; j < s.hidden; j++) {
            h[j] = output[3 * s.hidden + j] * Math.tanh(c[j]);
          }
        }
        Sequences.add(dh, row(dy, row, s.hidden));
        double[] after = row(states, row, s.hidden);
        double[] da = s.rounded(preactivation(gate, c, after, dh, dc));
        gradients.step(row, da, da, s.rounded(h));
        dh = Sequences.transposed(s.weightH, da, s.hidden);
      }
      gradients.initial(0, n, dh);
      gradients.initial(1, n, dc);
    }
    return gradients.all();
  }

  /** The gradient of what goes into the gates; dc becomes that of the state c before the step. */
  private static double[] preactivation(
      double[] gate, double[] c, double[] after, double[] dh, double[] dc) {
    int hidden = c.length;
    double[] da = new double[gate.length];
    for (int j = 0; j < hidden; j++) {
      double i = gate[j];
      double f = gate[hidden + j];
      double g = gate[2 * hidden + j];
      double o = gate[3 * hidden + j];
      double tanh = Math.tanh(after[j]);
      double d = dc[j] + dh[j] * o * (1 - tanh * tanh);
      da[j] = d * g * i * (1 - i);
      da[hidden + j] = d * c[j] * f * (1 - f);
      da[2 * hidden + j] = d * i * (1 - g * g);
      da[3 * hidden + j] = dh[j] * tanh * o * (1 - o);
      dc[j] = d * f;
    }
    return da;
  }
}
