package dev.halfcell.cpu.kernel;

import java.util.Optional;

/** {@link dev.halfcell.op.recurrent.Gru}. */
record GruGates(int hidden, Activations activations) implements GateMath {
  GruGates(int hidden) {
    this(hidden, Activations.make());
  }

  @Override
  public void forward(float[][] a, float[][] q, float[] h, float[] c, float[][] saved) {
    float[] r = saved[0];
    float[] z = saved[1];
    float[] n = saved[2];
    sum(a[0], q[0], r);
    sum(a[1], q[1], z);
    activations.sigmoid(r, 0, hidden);
    activations.sigmoid(z, 0, hidden);
    candidate(a[2], r, q[2], n);
    activations.tanh(n, 0, hidden);
    System.arraycopy(q[2], 0, saved[3], 0, hidden);
    for (int j = 0; j < hidden; j++) {
      h[j] = (1 - z[j]) * n[j] + z[j] * h[j];
    }
  }

  @Override
  public Optional<LstmVectors> vectors() {
    return Optional.empty();
  }

  private static void sum(float[] a, float[] q, float[] to) {
    for (int j = 0; j < to.length; j++) {
      to[j] = a[j] + q[j];
    }
  }

  private static void candidate(float[] a, float[] r, float[] q, float[] to) {
    for (int j = 0; j < to.length; j++) {
      to[j] = a[j] + r[j] * q[j];
    }
  }

  @Override
  public void backward(Made step, float[] dh, float[] dc, float[][] da, float[][] dq, float[] h) {
    float[] z = step.saved()[1];
    float[] n = step.saved()[2];
    state(z, n, step.before(), dh, da);
    reset(step.saved()[0], step.saved()[3], da, dq[2]);
    System.arraycopy(da[0], 0, dq[0], 0, hidden);
    System.arraycopy(da[1], 0, dq[1], 0, hidden);
    System.arraycopy(step.kept(), 0, h, 0, hidden);
  }

  /** What comes through h' = (1 − z) · n + z · h. */
  private void state(float[] z, float[] n, float[] h, float[] dh, float[][] da) {
    float[] dz = da[1];
    float[] dn = da[2];
    for (int j = 0; j < hidden; j++) {
      dn[j] = dh[j] * (1 - z[j]) * (1 - n[j] * n[j]);
      dz[j] = dh[j] * (h[j] - n[j]) * z[j] * (1 - z[j]);
      dh[j] *= z[j];
    }
  }

  /** What comes through r · q to both, where dn has come to their sum with a. */
  private void reset(float[] r, float[] q, float[][] da, float[] dq) {
    float[] dr = da[0];
    float[] dn = da[2];
    for (int j = 0; j < hidden; j++) {
      dr[j] = dn[j] * q[j] * r[j] * (1 - r[j]);
      dq[j] = dn[j] * r[j];
    }
  }
}
