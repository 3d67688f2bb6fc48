package dev.halfcell.cpu.kernel;

/** {@link dev.halfcell.op.recurrent.Gru}. */
record GruGates(int hidden, Activations activations) implements GateMath {
  GruGates(int hidden) {
    this(hidden, new Activations());
  }

  @Override
  public void forward(float[] a, float[] q, float[] h, float[] c, float[] saved) {
    for (int i = 0; i < 2 * hidden; i++) {
      saved[i] = a[i] + q[i];
    }
    activations.sigmoid(saved, 0, 2 * hidden);
    for (int j = 0; j < hidden; j++) {
      saved[2 * hidden + j] = a[2 * hidden + j] + saved[j] * q[2 * hidden + j];
    }
    activations.tanh(saved, 2 * hidden, 3 * hidden);
    System.arraycopy(q, 2 * hidden, saved, 3 * hidden, hidden);
    for (int j = 0; j < hidden; j++) {
      float z = saved[hidden + j];
      h[j] = (1 - z) * saved[2 * hidden + j] + z * h[j];
    }
  }

  @Override
  public void backward(Made step, float[] dh, float[] dc, float[] da, float[] dq, float[] h) {
    float[] saved = step.saved();
    float[] before = step.before();
    for (int j = 0; j < hidden; j++) {
      float r = saved[j];
      float z = saved[hidden + j];
      float n = saved[2 * hidden + j];
      float dn = dh[j] * (1 - z) * (1 - n * n);
      da[j] = dn * saved[3 * hidden + j] * r * (1 - r);
      da[hidden + j] = dh[j] * (before[j] - n) * z * (1 - z);
      da[2 * hidden + j] = dn;
      dq[2 * hidden + j] = dn * r;
      dh[j] *= z;
    }
    System.arraycopy(da, 0, dq, 0, 2 * hidden);
    System.arraycopy(step.kept(), 0, h, 0, hidden);
  }
}
