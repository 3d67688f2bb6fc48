package dev.halfcell.cpu.kernel;

import dev.halfcell.cpu.onednn.Primitive;
import dev.halfcell.op.Padding2d;
import dev.halfcell.op.convolution.Conv2dGeometry;
import dev.halfcell.tensor.DType;
import dev.halfcell.tensor.Shape;
import java.util.Arrays;
import java.util.Optional;

/**
 * A convolution by windows of 3 x 3, or its gradient by x, in FP32 with 4 multiplications for each
 * pixel, channel and filter in the place of 9: F(2 x 2, 3 x 3) of Lavin and Gray, "Fast Algorithms
 * for Convolutional Neural Networks" (2015), section 4.1. Tiles d of the image become Bᵀ·d·B,
 * filters g G·g·Gᵀ; at each of their 16 positions all tiles and filters are a product m of
 * matrices, summed over channels; and Aᵀ·m·A is the result. A and B hold 0, 1 and −1, G also
 * halves, so that nothing is lost but where sums are rounded. They are rounded to the largest pixel
 * of a tile: a pixel beside one that is 10⁷ times as large may be lost, as in a sum of both, even
 * where the filter is 0 at that one. A NaN or infinity of an image reaches the pixels that it
 * always does, if as NaN; in a filter it makes all of the filter's channel NaN.
 *
 * <p>It goes over some lines of tiles at a time, so that the form of most stays in the processor's
 * second cache; with large filters over more, for these are read once for them. oneDNN computes the
 * products.
 */
record WinogradConvolution(
    KernelBuilder builder,
    Padding2d padding,
    Operand x,
    Operand form,
    Optional<Operand> bias,
    Operand y) {
  private static final int SIDE = 3;
  private static final int MOST_PADDING = SIDE - 1;
  private static final int FEWEST_CHANNELS = 32;
  private static final int MOST_CHANNELS = 512;
  private static final int LARGE = 1 << 17; // channels in times channels out
  private static final int MANY = 256; // pixels of all images
  private static final int WIDEST = 1024;
  private static final int UNIT = 16;
  private static final long CACHED = 512 << 10;
  private static final int FILTERS_BY_TILES = 2; // their memory
  private static final int FEWEST_TILES = 64;

  /**
   * Whether it can be had and is faster: with few channels the form takes longer than the products,
   * so does that of large weights for few pixels, and of wide lines of many channels it fits in no
   * cache.
   *
   * @param y what goes tile by tile: y, or a gradient
   */
  static boolean suits(Conv2dGeometry geometry, Shape weight, Operand y) {
    Conv2dGeometry plain = new Conv2dGeometry(1, 1, geometry.padding(), 1, 1, 1);
    return y.dtype() == DType.FP32
        && y.spec().dim(3) <= WIDEST
        && geometry.equals(plain)
        && weight.dim(2) == SIDE
        && weight.dim(3) == SIDE
        && atMost(geometry.padding())
        && channels(weight.dim(0))
        && channels(weight.dim(1))
        && ((long) weight.dim(0) * weight.dim(1) <= LARGE || pixels(y) >= MANY);
  }

  private static long pixels(Operand image) {
    return image.spec().size() / image.spec().dim(1);
  }

  private static boolean atMost(Padding2d padding) {
    return Math.max(padding.top(), padding.bottom()) <= MOST_PADDING
        && Math.max(padding.left(), padding.right()) <= MOST_PADDING;
  }

  private static boolean channels(int count) {
    return count >= FEWEST_CHANNELS && count <= MOST_CHANNELS && count % UNIT == 0;
  }

  /** y = x * weight + bias. */
  static void forward(
      KernelBuilder builder,
      Padding2d padding,
      Operand x,
      Operand weight,
      Optional<Operand> bias,
      Operand y) {
    Operand form = builder.early(new WinogradFilters(builder, weight, false)::build);
    new WinogradConvolution(builder, padding, x, form, bias, y).build();
  }

  /** The gradient dx of such a convolution: d convolved with filters that are turned. */
  static void inputGradient(
      KernelBuilder builder, Padding2d padding, Operand d, Operand weight, Operand dx) {
    Operand form = builder.early(new WinogradFilters(builder, weight, true)::build);
    Padding2d rest =
        new Padding2d(
            MOST_PADDING - padding.top(),
            MOST_PADDING - padding.bottom(),
            MOST_PADDING - padding.left(),
            MOST_PADDING - padding.right());
    new WinogradConvolution(builder, rest, d, form, Optional.empty(), dx).build();
  }

  private void build() {
    WinogradTiles tiles = WinogradTiles.of(y.spec().shape(), padding.top(), padding.left());
    int batch = x.spec().dim(0);
    builder.note("winograd");
    int lines = Math.multiplyExact(batch, tiles.rows());
    if (SampleLoop.shared(batch, builder.threads())) {
      bySamples(tiles, Split.of(batch, 1, builder.threads()));
    } else {
      byLines(tiles, Split.of(lines, 1, builder.threads()));
    }
  }

  private void byLines(WinogradTiles tiles, Split lines) {
    Part[] parts = parts(lines.parts(), tiles, lines.size(lines.parts() - 1));
    builder.stage(parts.length, part -> parts[part].run(lines.from(part), lines.from(part + 1)));
  }

  private void bySamples(WinogradTiles tiles, Split samples) {
    int unit = SampleLoop.unit(Math.max(x.sampleOffset(1), y.sampleOffset(1)), form.spec().bytes());
    int rows = tiles.rows();
    int some = Math.min(unit, samples.size(samples.parts() - 1));
    Part[] parts = parts(samples.parts(), tiles, some * rows);
    SampleLoop.Body body =
        (part, from, to) -> {
          for (int sample = from; sample < to; sample += unit) {
            parts[part].run(sample * rows, Math.min(to, sample + unit) * rows);
          }
        };
    builder.stage(SampleLoop.inUnits(samples, unit, body));
  }

  private Part[] parts(int count, WinogradTiles tiles, int lines) {
    Part[] parts = new Part[count];
    Arrays.setAll(parts, part -> part(part, tiles, lines(tiles, lines)));
    return parts;
  }

  /** How many lines of tiles to go over at a time, of so many that follow each other. */
  private int lines(WinogradTiles tiles, int all) {
    int channels = x.spec().dim(1) + y.spec().dim(1);
    long bytes = Math.max(CACHED, form.spec().bytes() / FILTERS_BY_TILES);
    long fit = bytes / (4L * WinogradLoops.POSITIONS * channels);
    int most = Math.toIntExact(Math.max(fit, FEWEST_TILES) / tiles.columns());
    return Math.ceilDiv(all, Math.ceilDiv(all, Math.max(1, most)));
  }

  private Part part(int number, WinogradTiles tiles, int lines) {
    int count = lines * tiles.columns();
    Operand v = WinogradLoops.form(builder, count, x.spec().dim(1));
    Operand m = WinogradLoops.form(builder, count, y.spec().dim(1));
    Primitive product =
        MatrixProduct.of(Matrices.of(v, 3), Matrices.of(form, 3), Matrices.of(m, 3))
            .primitive(builder);
    WinogradImages images =
        new WinogradImages(builder, x, tiles, WinogradLoops.of(builder, number, v, tiles));
    WinogradResults results =
        new WinogradResults(builder, y, tiles, bias, WinogradLoops.of(builder, number, m, tiles));
    return new Part(images, product, results, v, m, lines);
  }

  /**
   * A thread's share.
   *
   * @param v tiles of the image in the form
   * @param m those of the result
   * @param lines how many lines of tiles they have room for
   */
  private record Part(
      WinogradImages images,
      Primitive product,
      WinogradResults results,
      Operand v,
      Operand m,
      int lines) {
    void run(int from, int to) {
      images.begin();
      results.begin();
      long imageStep = v.sampleOffset(1);
      long resultStep = m.sampleOffset(1);
      for (int first = from; first < to; first += lines) {
        int count = Math.min(lines, to - first);
        for (int line = 0; line < count; line++) {
          images.run(first + line, v.address(0, 0) + imageStep / lines * line, imageStep);
        }
        product.run();
        for (int line = 0; line < count; line++) {
          results.run(first + line, m.address(0, 0) + resultStep / lines * line, resultStep);
        }
      }
    }
  }
}
