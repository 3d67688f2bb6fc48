package dev.halfcell.backend.reference;

import static dev.halfcell.backend.reference.Sequences.put;
import static dev.halfcell.backend.reference.Sequences.row;
import static dev.halfcell.backend.reference.Sequences.sigmoid;

import dev.halfcell.tensor.Tensor;
import java.util.List;

final class GruKernels {
  private GruKernels() {}

  static List<double[]> forward(Sequences s) {
    double[] y = new double[s.time * s.batch * s.hidden];
    double[] gates = new double[4 * y.length];
    double[] last = new double[s.batch * s.hidden];
    for (int n = 0; n < s.batch; n++) {
      double[] h = s.initial(0, n);
      for (int t : s.steps(n)) {
        double[] gate = gates(s, row(s.x, s.row(t, n), s.inputs), h);
        for (int j = 0; j < s.hidden; j++) {
          double z = gate[s.hidden + j];
          h[j] = s.rounded((1 - z) * gate[2 * s.hidden + j] + z * h[j]);
        }
        put(gate, gates, s.row(t, n));
        put(h, y, s.row(t, n));
      }
      put(h, last, n);
    }
    return List.of(y, last, gates, y); // the states are y, in FP32 at least
  }

  /** r, z, n and the product that r multiplies. */
  private static double[] gates(Sequences s, double[] x, double[] h) {
    double[] a = Sequences.product(s.weightX, x, s.biasX);
    double[] q = Sequences.product(s.weightH, h, s.biasH);
    double[] gate = new double[4 * s.hidden];
    for (int j = 0; j < s.hidden; j++) {
      int z = s.hidden + j;
      int n = 2 * s.hidden + j;
      gate[j] = sigmoid(a[j] + q[j]);
      gate[z] = sigmoid(a[z] + q[z]);
      gate[n] = Math.tanh(a[n] + gate[j] * q[n]);
      gate[3 * s.hidden + j] = q[n];
    }
    return gate;
  }

  static List<double[]> backward(List<Tensor> in, Sequences s) {
    double[] dy = in.get(0).toArray();
    double[] gates = in.get(2).toArray();
    double[] states = in.get(3).toArray();
    RecurrentGradients gradients = new RecurrentGradients(s, 1);
    for (int n = 0; n < s.batch; n++) {
      double[] dh = row(in.get(1).toArray(), n, s.hidden);
      int[] steps = s.steps(n);
      for (int i = steps.length - 1; i >= 0; i--) {
        int row = s.row(steps[i], n);
        double[] h = i == 0 ? s.initial(0, n) : row(states, s.row(steps[i - 1], n), s.hidden);
        Sequences.add(dh, row(dy, row, s.hidden));
        double[] da = new double[3 * s.hidden];
        double[] dq = new double[3 * s.hidden];
        preactivation(row(gates, row, 4 * s.hidden), h, dh, da, dq);
        gradients.step(row, s.rounded(da), s.rounded(dq), s.rounded(h));
        Sequences.add(dh, Sequences.transposed(s.weightH, dq, s.hidden));
      }
      gradients.initial(0, n, dh);
    }
    return gradients.all();
  }

  /** The gradients of a and q; dh becomes what goes to the state before along z. */
  private static void preactivation(
      double[] gate, double[] h, double[] dh, double[] da, double[] dq) {
    int hidden = h.length;
    for (int j = 0; j < hidden; j++) {
      double r = gate[j];
      double z = gate[hidden + j];
      double n = gate[2 * hidden + j];
      double q = gate[3 * hidden + j];
      double dn = dh[j] * (1 - z) * (1 - n * n);
      da[j] = dn * q * r * (1 - r);
      da[hidden + j] = dh[j] * (h[j] - n) * z * (1 - z);
      da[2 * hidden + j] = dn;
      dq[j] = da[j];
      dq[hidden + j] = da[hidden + j];
      dq[2 * hidden + j] = dn * r;
      dh[j] *= z;
    }
  }
}
