package dev.halfcell.cpu.kernel;

import java.util.Optional;

/** {@link dev.halfcell.op.recurrent.Lstm}. */
record LstmGates(int hidden, Activations activations) implements GateMath {
  LstmGates(int hidden) {
    this(hidden, Activations.make());
  }

  @Override
  public void forward(float[][] a, float[][] q, float[] h, float[] c, float[][] saved) {
    for (int gate = 0; gate < saved.length; gate++) {
      sum(a[gate], q[gate], saved[gate]);
    }
    float[] i = saved[0];
    float[] f = saved[1];
    float[] g = saved[2];
    float[] o = saved[3];
    activations.sigmoid(i, 0, hidden);
    activations.sigmoid(f, 0, hidden);
    activations.tanh(g, 0, hidden);
    activations.sigmoid(o, 0, hidden);
    for (int j = 0; j < hidden; j++) {
      c[j] = f[j] * c[j] + i[j] * g[j];
    }
    System.arraycopy(c, 0, h, 0, hidden);
    activations.tanh(h, 0, hidden);
    for (int j = 0; j < hidden; j++) {
      h[j] *= o[j];
    }
  }

  @Override
  public Optional<LstmVectors> vectors() {
    return VectorModule.usable() && LstmVectors.suit(hidden)
        ? Optional.of(new LstmVectors(hidden))
        : Optional.empty();
  }

  private static void sum(float[] a, float[] q, float[] to) {
    for (int j = 0; j < to.length; j++) {
      to[j] = a[j] + q[j];
    }
  }

  @Override
  public void backward(Made step, float[] dh, float[] dc, float[][] da, float[][] dq, float[] h) {
    System.arraycopy(step.kept(), 0, h, 0, hidden);
    activations.tanh(h, 0, hidden);
    output(step.saved()[3], dh, dc, da[3], h);
    cell(step.saved(), step.before(), dc, da);
  }

  /** What comes through h = o · tanh c; h is tanh c, and on return h. */
  private void output(float[] o, float[] dh, float[] dc, float[] d, float[] h) {
    for (int j = 0; j < hidden; j++) {
      float tanh = h[j];
      dc[j] += dh[j] * o[j] * (1 - tanh * tanh);
      d[j] = dh[j] * tanh * o[j] * (1 - o[j]);
      dh[j] = 0;
      h[j] = tanh * o[j];
    }
  }

  private void cell(float[][] saved, float[] c, float[] dc, float[][] da) {
    float[] i = saved[0];
    float[] f = saved[1];
    float[] g = saved[2];
    float[] di = da[0];
    float[] df = da[1];
    float[] dg = da[2];
    for (int j = 0; j < hidden; j++) {
      di[j] = dc[j] * g[j] * i[j] * (1 - i[j]);
      df[j] = dc[j] * c[j] * f[j] * (1 - f[j]);
      dg[j] = dc[j] * i[j] * (1 - g[j] * g[j]);
      dc[j] *= f[j];
    }
  }
}
