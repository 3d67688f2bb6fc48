package dev.halfcell.cpu.kernel;

/** {@link dev.halfcell.op.recurrent.Lstm}. */
record LstmGates(int hidden, Activations activations) implements GateMath {
  LstmGates(int hidden) {
    this(hidden, new Activations());
  }

  @Override
  public void forward(float[] a, float[] q, float[] h, float[] c, float[] saved) {
    for (int i = 0; i < 4 * hidden; i++) {
      saved[i] = a[i] + q[i];
    }
    activations.sigmoid(saved, 0, 2 * hidden);
    activations.tanh(saved, 2 * hidden, 3 * hidden);
    activations.sigmoid(saved, 3 * hidden, 4 * hidden);
    for (int j = 0; j < hidden; j++) {
      c[j] = saved[hidden + j] * c[j] + saved[j] * saved[2 * hidden + j];
    }
    System.arraycopy(c, 0, h, 0, hidden);
    activations.tanh(h, 0, hidden);
    for (int j = 0; j < hidden; j++) {
      h[j] *= saved[3 * hidden + j];
    }
  }

  @Override
  public void backward(Made step, float[] dh, float[] dc, float[] da, float[] dq, float[] h) {
    float[] saved = step.saved();
    float[] c = step.before();
    System.arraycopy(step.kept(), 0, h, 0, hidden);
    activations.tanh(h, 0, hidden);
    for (int j = 0; j < hidden; j++) {
      float o = saved[3 * hidden + j];
      float tanh = h[j];
      dc[j] += dh[j] * o * (1 - tanh * tanh);
      da[3 * hidden + j] = dh[j] * tanh * o * (1 - o);
      dh[j] = 0;
      h[j] = tanh * o;
    }
    for (int j = 0; j < hidden; j++) {
      float i = saved[j];
      float f = saved[hidden + j];
      float g = saved[2 * hidden + j];
      da[j] = dc[j] * g * i * (1 - i);
      da[hidden + j] = dc[j] * c[j] * f * (1 - f);
      da[2 * hidden + j] = dc[j] * i * (1 - g * g);
      dc[j] *= f;
    }
  }
}
