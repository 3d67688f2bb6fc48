package dev.halfcell.cpu.kernel;

import dev.halfcell.cpu.onednn.Argument;
import dev.halfcell.cpu.onednn.Argument.Role;
import dev.halfcell.cpu.onednn.Descriptor;
import dev.halfcell.cpu.onednn.Primitive;
import dev.halfcell.tensor.DType;
import dev.halfcell.tensor.Shape;
import dev.halfcell.tensor.TensorSpec;
import java.util.Arrays;

/**
 * A weight of windows of 3 x 3 in Winograd's form: G·g·Gᵀ for each filter g, [16, channels in,
 * channels out].
 *
 * @param turned whether filters are turned by half a turn and lead from the channels of y to those
 *     of x, as the gradient by x wants them
 */
record WinogradFilters(KernelBuilder builder, Operand weight, boolean turned) {
  private static final int SIDE = 3;
  private static final int TAPS = SIDE * SIDE;
  private static final int UNIT = 16;

  /** What makes each line of positions of the three lines of a filter: G. */
  private static final float[][] G = {
    {1, 0, 0}, {0.5f, 0.5f, 0.5f}, {0.5f, -0.5f, 0.5f}, {0, 0, 1}
  };

  /** Adds the stages that compute it. */
  Operand build() {
    int from = weight.spec().dim(turned ? 0 : 1);
    int to = weight.spec().dim(turned ? 1 : 0);
    TensorSpec planes = new TensorSpec(DType.FP32, Shape.of(TAPS, from, to));
    Operand taps = builder.workspace(planes, Layout.ROW_MAJOR);
    Operand form = WinogradLoops.form(builder, from, to);
    Primitive reorder = reorder(taps, to);
    builder.reorders(1);
    builder.stage(1, _ -> reorder.run());
    Split split = Split.of(from * to, UNIT, builder.threads());
    Part[] parts = new Part[split.parts()];
    Arrays.setAll(parts, part -> Part.of(builder.scratch(part), taps, form, turned));
    builder.stage(parts.length, part -> parts[part].run(split.from(part), split.from(part + 1)));
    return form;
  }

  /** With the taps outermost. */
  private Primitive reorder(Operand taps, int to) {
    Shape shape = weight.spec().shape();
    Descriptor dense = builder.onednn().dense(builder.handles(), DType.FP32, Reorders.sizes(shape));
    long plane = shape.size() / TAPS;
    Descriptor outermost = outermost(builder, shape, plane, turned ? to : 1, turned ? 1 : to);
    return Reorders.primitive(
        builder,
        new Argument(Role.SRC, dense, weight.region(), 0),
        new Argument(Role.DST, outermost, taps.region(), 0));
  }

  /**
   * Filters [O, C, 3, 3] with their taps outermost.
   *
   * @param plane from a tap to the next, in elements
   * @param filter from a filter to the next
   * @param channel from a channel to the next
   */
  static Descriptor outermost(
      KernelBuilder builder, Shape filters, long plane, long filter, long channel) {
    long[] steps = {filter, channel, SIDE * plane, plane};
    return builder.onednn().strided(builder.handles(), DType.FP32, Reorders.sizes(filters), steps);
  }

  /** What a thread works in: the taps of some filters, and a line of them times G. */
  private record Part(
      Operand taps, Operand form, boolean turned, float[][] g, float[][] line, float[] out) {
    private static final int SIZE = 512;

    static Part of(Scratch scratch, Operand taps, Operand form, boolean turned) {
      return new Part(
          taps,
          form,
          turned,
          scratch.floats(TAPS, SIZE),
          scratch.floats(SIDE, SIZE),
          scratch.chunk(SIZE).values);
    }

    void run(int from, int to) {
      for (int at = from; at < to; at += SIZE) {
        run(at, Math.min(SIZE, to - at), taps.spec().shape().size() / TAPS);
      }
    }

    private void run(int at, int count, long filters) {
      for (int tap = 0; tap < TAPS; tap++) {
        int turn = turned ? TAPS - 1 - tap : tap;
        Transfers.read(taps.address(tap * filters + at, count), g[turn], count);
      }
      long position = at;
      for (float[] row : G) {
        for (int s = 0; s < SIDE; s++) {
          mix(row, g[s], g[SIDE + s], g[2 * SIDE + s], line[s], count);
        }
        for (float[] column : G) {
          mix(column, line[0], line[1], line[2], out, count);
          Transfers.write(out, form.address(position, count), count);
          position += filters;
        }
      }
    }

    private static void mix(float[] by, float[] a, float[] b, float[] c, float[] to, int count) {
      float p = by[0];
      float q = by[1];
      float r = by[2];
      for (int i = 0; i < count; i++) {
        to[i] = p * a[i] + q * b[i] + r * c[i];
      }
    }
  }
}
