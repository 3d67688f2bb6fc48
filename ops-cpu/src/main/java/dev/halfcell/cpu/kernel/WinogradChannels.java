package dev.halfcell.cpu.kernel;

import static dev.halfcell.cpu.kernel.FloatVectors.FLOATS;

import jdk.incubator.vector.FloatVector;

/**
 * The loops of {@link WinogradVectors}, along channels. A line is added or taken away by a fused
 * multiplication by 1 or −1, which rounds once, as the sum does.
 */
final class WinogradChannels {
  private WinogradChannels() {}

  /** Whether these channels are whole vectors. */
  static boolean suit(int channels) {
    return channels % FLOATS.length() == 0;
  }

  /** As {@link WinogradLoops#image}. */
  static void image(long a, long b, float sign, int channels, long to, long step, int tiles) {
    FloatVector signs = FloatVector.broadcast(FLOATS, sign);
    long pixel = 4L * channels;
    for (int c = 0; c < channels; c += FLOATS.length()) {
      for (int tile = 0; tile < tiles; tile++) {
        long x = 2 * pixel * tile + 4L * c;
        FloatVector x0 = FloatVectors.load(b + x).fma(signs, FloatVectors.load(a + x));
        x += pixel;
        FloatVector x1 = FloatVectors.load(b + x).fma(signs, FloatVectors.load(a + x));
        x += pixel;
        FloatVector x2 = FloatVectors.load(b + x).fma(signs, FloatVectors.load(a + x));
        x += pixel;
        FloatVector x3 = FloatVectors.load(b + x).fma(signs, FloatVectors.load(a + x));
        long v = to + pixel * tile + 4L * c;
        FloatVectors.store(x0.sub(x2), v);
        FloatVectors.store(x1.add(x2), v + step);
        FloatVectors.store(x2.sub(x1), v + 2 * step);
        FloatVectors.store(x1.sub(x3), v + 3 * step);
      }
    }
  }

  /** As {@link WinogradLoops#gradient}. */
  static void gradient(long a, long b, float sign, int channels, long to, long step, int tiles) {
    FloatVector signs = FloatVector.broadcast(FLOATS, sign);
    long pixel = 4L * channels;
    for (int c = 0; c < channels; c += FLOATS.length()) {
      for (int tile = 0; tile < tiles; tile++) {
        long x = 2 * pixel * tile + 4L * c;
        FloatVector x0 = FloatVectors.load(b + x).fma(signs, FloatVectors.load(a + x));
        x += pixel;
        FloatVector x1 = FloatVectors.load(b + x).fma(signs, FloatVectors.load(a + x));
        long v = to + pixel * tile + 4L * c;
        FloatVectors.store(x0, v);
        FloatVectors.store(x0.add(x1), v + step);
        FloatVectors.store(x0.sub(x1), v + 2 * step);
        FloatVectors.store(x1, v + 3 * step);
      }
    }
  }

  /** As {@link WinogradLoops#result}. */
  static void result(
      long from, float sign, long bias, long to, int channels, long step, int tiles) {
    FloatVector signs = FloatVector.broadcast(FLOATS, sign);
    long pixel = 4L * channels;
    long line = WinogradLoops.SIDE * step;
    for (int c = 0; c < channels; c += FLOATS.length()) {
      FloatVector w = FloatVectors.load(bias + 4L * c);
      for (int tile = 0; tile < tiles; tile++) {
        long a = from + pixel * tile + 4L * c;
        FloatVector x0 = FloatVectors.load(a + line).fma(signs, FloatVectors.load(a));
        x0 = FloatVectors.load(a + 2 * line).fma(signs, x0);
        a += step;
        FloatVector x1 = FloatVectors.load(a + line).fma(signs, FloatVectors.load(a));
        x1 = FloatVectors.load(a + 2 * line).fma(signs, x1);
        a += step;
        FloatVector x2 = FloatVectors.load(a + line).fma(signs, FloatVectors.load(a));
        x2 = FloatVectors.load(a + 2 * line).fma(signs, x2);
        a += step;
        FloatVector x3 = FloatVectors.load(a + line).fma(signs, FloatVectors.load(a));
        x3 = FloatVectors.load(a + 2 * line).fma(signs, x3);
        long y = to + 2 * pixel * tile + 4L * c;
        FloatVectors.store(x0.add(x1).add(x2).add(w), y);
        FloatVectors.store(x1.sub(x2).sub(x3).add(w), y + pixel);
      }
    }
  }
}
