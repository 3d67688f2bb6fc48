package dev.halfcell.cpu.kernel;

import dev.halfcell.cpu.onednn.Argument;
import dev.halfcell.cpu.onednn.Argument.Role;
import dev.halfcell.cpu.onednn.Descriptor;
import dev.halfcell.cpu.onednn.Primitive;
import dev.halfcell.cpu.onednn.Recipe;
import dev.halfcell.op.convolution.Conv2dGeometry;
import dev.halfcell.tensor.DType;
import dev.halfcell.tensor.Shape;
import dev.halfcell.tensor.TensorSpec;
import java.util.ArrayList;
import java.util.List;

/**
 * The gradient of a convolution by its weight, without groups or bias, whose windows skip pixels:
 * dᵀ · windows, with a row for each pixel of y, in which the window of x stands that the pixel is
 * computed from ({@link WindowRows}). Each part goes over lines of y of its own, and over so many
 * at a time that their windows are as large as the sums, which are read and written once for them,
 * or fill the second cache; the parts are added in order. Padding is multiplied, too: a NaN or
 * infinity in d makes all taps NaN that are in the padding for its pixel.
 */
record WindowWeightGradient(
    KernelBuilder builder, Conv2dGeometry geometry, Operand d, Operand x, Operand dweight) {
  private static final int FEWEST_CHANNELS = 64; // of either image
  private static final int MOST_COPIES = 3; // of each pixel of x, about
  private static final int FEWEST_PIXELS = 64; // of a part, where its sums fit no cache
  private static final long CACHED = 512 << 10;

  /** Whether it can be had and is faster. */
  static boolean suits(KernelBuilder builder, Conv2dGeometry geometry, Shape weight, Operand d) {
    int skips = geometry.strideHeight() * geometry.strideWidth();
    boolean fewCopies = skips > 1 && weight.dim(2) * weight.dim(3) <= MOST_COPIES * skips;
    boolean many = Math.min(weight.dim(0), weight.dim(1)) >= FEWEST_CHANNELS;
    boolean faster = !d.dtype().half() || fasterInHalves(builder, d);
    return geometry.groups() == 1 && fewCopies && many && faster && worth(builder, weight, d);
  }

  /** In tiles it was not measured; behind short rows of y it takes as long as one product. */
  private static boolean fasterInHalves(KernelBuilder builder, Operand d) {
    return !builder.onednn().isa().tiles() && d.spec().dim(3) >= WeightGradientProduct.SHORT_ROW;
  }

  private static boolean worth(KernelBuilder builder, Shape weight, Operand d) {
    long pixels = d.spec().shape().size() / d.spec().dim(1);
    boolean cached = weight.size() * Float.BYTES <= CACHED;
    return cached || pixels >= (long) FEWEST_PIXELS * builder.threads();
  }

  void build() {
    builder.note("windows");
    Shape weight = dweight.spec().shape();
    Split lines =
        Split.of(Math.multiplyExact(d.spec().dim(0), d.spec().dim(2)), 1, builder.threads());
    Operand total = builder.out(dweight, DType.FP32, Layout.CHANNELS_LAST);
    List<Operand> sums = new ArrayList<>();
    Part[] parts = new Part[lines.parts()];
    for (int part = 0; part < parts.length; part++) {
      Operand own = builder.workspace(new TensorSpec(DType.FP32, weight), Layout.CHANNELS_LAST);
      sums.add(own);
      parts[part] = part(lines.from(part), lines.size(part), own);
    }
    builder.stage(parts.length, part -> parts[part].run());
    PartialSums.add(builder, sums, total);
  }

  /** How many lines of y to go over at a time, of so many that follow each other. */
  private int lines(int all) {
    Shape weight = dweight.spec().shape();
    long bytes = Math.max(CACHED, weight.size() * Float.BYTES);
    long line = weight.size() / weight.dim(0) * x.dtype().bytes() * d.spec().dim(3);
    long most = Math.max(1, bytes / line);
    return Math.toIntExact(Math.ceilDiv(all, Math.ceilDiv(all, most)));
  }

  private Part part(int first, int all, Operand sums) {
    int lines = lines(all);
    WindowRows windows =
        WindowRows.of(builder, geometry, dweight.spec().shape(), x, d.spec().shape(), lines);
    int pieces = all / lines;
    int rest = all % lines;
    return new Part(
        windows,
        product(windows.out(), sums, lines, false),
        pieces == 1 ? List.of() : List.of(product(windows.out(), sums, lines, true)),
        rest == 0 ? List.of() : List.of(product(windows.out(), sums, rest, true)),
        first,
        pieces,
        lines,
        rest);
  }

  /** sums = sums + dᵀ · windows of so many lines of y, or the product alone. */
  private Primitive product(Operand windows, Operand sums, int lines, boolean added) {
    int rows = lines * d.spec().dim(3);
    long channels = d.spec().dim(1);
    long taps = windows.spec().dim(1);
    Descriptor left =
        builder
            .onednn()
            .strided(
                builder.handles(),
                d.dtype(),
                new long[] {channels, rows},
                new long[] {1, channels});
    Descriptor right = builder.onednn().dense(builder.handles(), d.dtype(), rows, taps);
    Descriptor result = builder.onednn().dense(builder.handles(), DType.FP32, channels, taps);
    Recipe recipe =
        added
            ? builder.recipes().productAdded(left, right, Descriptor.NONE, result)
            : builder.recipes().product(left, right, Descriptor.NONE, result);
    builder.note(recipe.implementation());
    long line = d.spec().dim(3) * channels * d.dtype().bytes();
    return builder.primitive(
        recipe,
        new Argument(Role.SRC, left, d.region(), 0, line),
        new Argument(Role.WEIGHTS, right, windows.region(), 0),
        new Argument(Role.DST, result, sums.region(), 0));
  }

  /**
   * A thread's share.
   *
   * @param product the first lines of it
   * @param added as many further lines, if there are
   * @param end what is left behind these, if anything
   * @param first its first line of y
   * @param pieces how often it goes over so many lines
   */
  private record Part(
      WindowRows windows,
      Primitive product,
      List<Primitive> added,
      List<Primitive> end,
      int first,
      int pieces,
      int lines,
      int rest) {
    void run() {
      windows.write(first, lines);
      product.run(first);
      for (int piece = 1; piece < pieces; piece++) {
        int line = first + piece * lines;
        windows.write(line, lines);
        added.getFirst().run(line);
      }
      if (rest > 0) {
        int line = first + pieces * lines;
        windows.write(line, rest);
        end.getFirst().run(line);
      }
    }
  }
}
