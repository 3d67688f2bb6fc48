package dev.halfcell.cpu.kernel;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * For each element y = [a · d +] (b · (x − m) + c) [+ z], then [max(y, 0)], with a, b, c and m of
 * its channel as they are when the stage runs, in floats; what stands in brackets may be left out.
 *
 * @param d what is scaled by a
 * @param x what is scaled by b; it gives the layout
 * @param z what is added
 * @param relu whether negative results become 0
 * @param y the result
 * @param coefficients those of the channels, to be filled by an earlier stage
 */
record ChannelMap(
    Optional<MaskedGradient> d,
    Operand x,
    Optional<Operand> z,
    boolean relu,
    Operand y,
    Coefficients coefficients) {

  /** Of x alone. */
  static ChannelMap of(Operand x, Operand y, Coefficients coefficients) {
    return new ChannelMap(Optional.empty(), x, Optional.empty(), false, y, coefficients);
  }

  /** Coefficients of {@code count} channels; m are floats. */
  record Coefficients(double[] a, double[] b, double[] c, double[] m) {
    Coefficients(int count) {
      this(new double[count], new double[count], new double[count], new double[count]);
    }
  }

  /** Adds the stage. */
  void stage(KernelBuilder builder) {
    Channels channels = Channels.of(x);
    channels.stage(builder, x, part -> new Part(channels, builder.scratch(part)));
  }

  private final class Part implements Channels.Part, Channels.Piece {
    private final Channels channels;
    private final ChannelLanes lanes;
    private final Chunk xs;
    private final Chunk others;
    private final MaskedGradient.Reader reader;
    private final float[] as;
    private final float[] bs;
    private final float[] cs;
    private final float[] ms;
    private final ChannelVectors.Numbers numbers;
    private final Optional<ChannelVectors> straight;
    private final Optional<ChannelGradients> withGradient;
    private int length;
    private int channel;

    Part(Channels channels, Scratch scratch) {
      this.channels = channels;
      lanes = new ChannelLanes(channels);
      int size = channels.piece();
      xs = scratch.chunk(size);
      others = scratch.chunk(size);
      reader = new MaskedGradient.Reader(scratch, size);
      numbers = scratch.numbers(size);
      as = numbers.a();
      bs = numbers.b();
      cs = numbers.c();
      ms = numbers.m();
      straight = straight();
      withGradient = withGradient();
    }

    /** Loops over elements where they lie. */
    private Optional<ChannelVectors> straight() {
      List<Operand> all = new ArrayList<>(List.of(x, y));
      z.ifPresent(all::add);
      return d.isPresent() ? Optional.empty() : ChannelVectors.of(all, xs.values);
    }

    /** The same, never for both a gradient and what is added. */
    private Optional<ChannelGradients> withGradient() {
      return z.isPresent() || relu
          ? Optional.empty()
          : d.flatMap(gradient -> ChannelGradients.of(gradient, x, Optional.of(y)));
    }

    @Override
    public void begin() {
      length = 0;
    }

    @Override
    public void run(int from, int to) {
      channels.pieces(from, to, this);
    }

    @Override
    public void end() {}

    @Override
    public void run(long index, int count, int channel) {
      if (count != length || (!channels.along() && channel != this.channel)) {
        spread(count, channel);
      }
      if (withGradient.isPresent() && count % ChannelVectors.length() == 0) {
        runStraight(withGradient.get(), d.orElseThrow(), index, count);
      } else if (straight.isPresent() && count % ChannelVectors.length() == 0) {
        runStraight(straight.get(), index, count);
      } else {
        runByChunks(index, count);
      }
    }

    private void runStraight(ChannelGradients loops, MaskedGradient by, long index, int count) {
      long from = x.address(index, count);
      long to = y.address(index, count);
      long slopes = by.gradient().address(index, count);
      if (by.mask().isPresent()) {
        long above = by.mask().get().address(index, count);
        loops.mapMasked(slopes, above, from, to, numbers, count);
      } else {
        loops.mapGradient(slopes, from, to, numbers, count);
      }
    }

    private void runStraight(ChannelVectors loops, long index, int count) {
      long from = x.address(index, count);
      long to = y.address(index, count);
      if (z.isPresent()) {
        loops.mapAdded(from, z.get().address(index, count), to, numbers, least(), count);
      } else {
        loops.map(from, to, numbers, least(), count);
      }
    }

    /** What results are at the least: nothing is below negative infinity. */
    private float least() {
      return relu ? 0 : Float.NEGATIVE_INFINITY;
    }

    private void runByChunks(long index, int count) {
      xs.load(x, index, count);
      scale(xs.values, bs, cs, ms, count);
      if (d.isPresent()) {
        reader.read(d.get(), others, index, count);
        addProducts(others.values, as, xs.values, count);
      }
      if (z.isPresent()) {
        others.load(z.get(), index, count);
        add(others.values, xs.values, count);
      }
      if (relu) {
        relu(xs.values, count);
      }
      xs.store(y, index, count);
    }

    private void spread(int count, int channel) {
      length = count;
      this.channel = channel;
      if (d.isPresent()) {
        lanes.spread(coefficients.a(), as, count, channel);
      }
      lanes.spread(coefficients.b(), bs, count, channel);
      lanes.spread(coefficients.c(), cs, count, channel);
      lanes.spread(coefficients.m(), ms, count, channel);
    }

    private static void scale(float[] x, float[] b, float[] c, float[] m, int count) {
      for (int i = 0; i < count; i++) {
        x[i] = b[i] * (x[i] - m[i]) + c[i];
      }
    }

    private static void addProducts(float[] d, float[] a, float[] to, int count) {
      for (int i = 0; i < count; i++) {
        to[i] += a[i] * d[i];
      }
    }

    private static void add(float[] z, float[] to, int count) {
      for (int i = 0; i < count; i++) {
        to[i] += z[i];
      }
    }

    private static void relu(float[] y, int count) {
      for (int i = 0; i < count; i++) {
        y[i] = Math.max(y[i], 0f); // keeps a NaN
      }
    }
  }
}
