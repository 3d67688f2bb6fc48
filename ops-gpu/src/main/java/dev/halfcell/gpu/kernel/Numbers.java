package dev.halfcell.gpu.kernel;

import dev.halfcell.gpu.driver.GpuKernel.Argument;
import java.util.ArrayList;
import java.util.List;

/** The numbers of an optimizer's rule as its kernels take them, by value: {@code update.cu}. */
final class Numbers {
  private final List<Integer> halves = new ArrayList<>();

  /** Adds a {@code float}. */
  Numbers add(double number) {
    halves.add(Float.floatToRawIntBits((float) number));
    return this;
  }

  /** Adds an {@code int} that is 1 or 0. */
  Numbers add(boolean holds) {
    halves.add(holds ? 1 : 0);
    return this;
  }

  /** Adds what is added to the gradient, and what shrinks the parameter: one of them is 0. */
  Numbers addDecays(double decay, boolean decoupled) {
    return add(decoupled ? 0 : decay).add(decoupled ? decay : 0);
  }

  /** Adds a mean that decays so much: {@code rule.cuh}. It starts on a whole word. */
  Numbers addMoment(double decay) {
    long log = Double.doubleToRawLongBits(Math.log(decay));
    halves.add((int) log);
    halves.add((int) (log >>> Integer.SIZE));
    return add(decay).add(1 - decay);
  }

  /** All of them, the first in the lower half of the first word. */
  Argument argument() {
    List<Long> words = new ArrayList<>();
    for (int i = 0; i < halves.size(); i += 2) {
      long high = i + 1 < halves.size() ? (long) halves.get(i + 1) << Integer.SIZE : 0;
      words.add(high | Integer.toUnsignedLong(halves.get(i)));
    }
    return new Argument.Words(words);
  }
}
