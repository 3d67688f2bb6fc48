package dev.halfcell.cpu.kernel;

/**
 * A loop around exponentials, a block at a time: their arguments from one input, then the results
 * from the exponentials and the inputs. One part's.
 *
 * @param argument which input the arguments are made of
 */
record ExponentialLoop(
    Exponentials exponentials, double[] values, int argument, Before before, After after)
    implements Flat.Loop {
  /** Makes arguments. */
  @FunctionalInterface
  interface Before {
    /** Puts those of {@code count} numbers from place {@code from} on to the start of e. */
    void run(float[] x, int from, double[] e, int count);
  }

  /** Makes results. */
  @FunctionalInterface
  interface After {
    /** Puts {@code count} of them to place {@code from} on; exponentials are at the start of e. */
    void run(float[][] in, int from, double[] e, float[] y, int count);
  }

  ExponentialLoop(int argument, Before before, After after) {
    this(Exponentials.make(), new double[Exponentials.BLOCK], argument, before, after);
  }

  @Override
  public void run(float[][] in, float[][] out, int count, int start) {
    for (int from = 0; from < count; from += values.length) {
      int several = Math.min(values.length, count - from);
      before.run(in[argument], from, values, several);
      exponentials.of(values, several);
      after.run(in, from, values, out[0], several);
    }
  }
}
