package dev.halfcell.cpu.kernel;

import dev.halfcell.cpu.onednn.Primitive;
import dev.halfcell.op.Padding2d;
import dev.halfcell.op.convolution.Conv2dGeometry;
import dev.halfcell.tensor.Shape;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * The gradient by its weight of a convolution as {@link WinogradConvolution} has them: tiles of the
 * image in its form, v, and those of the gradient by y, A·d·Aᵀ, are a product of matrices at each
 * of the 16 positions, summed over tiles; Gᵀ·m·G of the sums m is the gradient. (It is what the
 * chain rule makes of Aᵀ·((G·g·Gᵀ)·v)·A. The last line of A and the last column of Gᵀ are taken
 * with the other sign, which cancels.) As there, what is small beside another pixel of its tile may
 * be lost. A NaN or infinity in a channel of x makes all of its taps in all filters NaN or
 * infinite, one in a channel of d all of that filter.
 *
 * <p>Each part goes over lines of tiles of its own, and over so many at a time that their form is
 * as large as the sums, which are read and written once for them, or fills the second cache.
 */
record WinogradWeightGradient(
    KernelBuilder builder, Padding2d padding, Operand d, Operand x, Operand dweight) {
  private static final int FEWEST_WINDOWS = 256; // within the image, for any tap
  private static final int FEWEST_TILES = 64; // of a part, where its sums fit no cache
  private static final int MOST_PRODUCTS = 6; // for each pixel, in the place of 9
  private static final long CACHED = 512 << 10;
  private static final long TILE_BYTES = (long) WinogradLoops.POSITIONS * Float.BYTES;

  /**
   * Whether it can be had and is faster, and each tap is a sum over so many windows that what is
   * rounded in the form is no more than what is rounded in the sum. With few tiles for each part,
   * large sums would be written and read for few products.
   */
  static boolean suits(KernelBuilder builder, Conv2dGeometry geometry, Shape weight, Operand d) {
    return WinogradConvolution.suits(geometry, weight, d)
        && windows(geometry.padding(), d.spec().shape()) >= FEWEST_WINDOWS
        && worth(builder.threads(), weight, d.spec().shape());
  }

  /** The fewest windows in which a tap lies within the image. */
  private static long windows(Padding2d padding, Shape d) {
    int rows = d.dim(2) - Math.max(padding.top(), padding.bottom());
    int columns = d.dim(3) - Math.max(padding.left(), padding.right());
    return (long) Math.max(0, rows) * Math.max(0, columns) * d.dim(0);
  }

  private static boolean worth(int threads, Shape weight, Shape d) {
    WinogradTiles tiles = WinogradTiles.of(d, 0, 0);
    long each = (long) tiles.rows() * tiles.columns();
    boolean saves = WinogradLoops.POSITIONS * each <= (long) MOST_PRODUCTS * d.dim(2) * d.dim(3);
    boolean cached = TILE_BYTES * weight.dim(0) * weight.dim(1) <= CACHED;
    return saves && (cached || each * d.dim(0) >= (long) FEWEST_TILES * threads);
  }

  void build() {
    builder.note("winograd");
    WinogradTiles tiles = WinogradTiles.of(d.spec().shape(), padding.top(), padding.left());
    Split lines = Split.of(Math.multiplyExact(d.spec().dim(0), tiles.rows()), 1, builder.threads());
    Part[] parts = new Part[lines.parts()];
    int most = lines(tiles, lines.size(lines.parts() - 1));
    Arrays.setAll(parts, part -> part(part, tiles, most));
    builder.stage(parts.length, part -> parts[part].run(lines.from(part), lines.from(part + 1)));
    List<Operand> sums = new ArrayList<>();
    for (Part part : parts) {
      sums.add(part.sums);
    }
    new WinogradTaps(builder, sums, dweight).build();
  }

  /** How many lines of tiles to go over at a time, of so many that follow each other. */
  private int lines(WinogradTiles tiles, int all) {
    long in = x.spec().dim(1);
    long out = d.spec().dim(1);
    long bytes = Math.max(CACHED, TILE_BYTES * in * out);
    long most = Math.max(1, bytes / (TILE_BYTES * (in + out) * tiles.columns()));
    return Math.toIntExact(Math.ceilDiv(all, Math.ceilDiv(all, most)));
  }

  private Part part(int number, WinogradTiles tiles, int lines) {
    int count = lines * tiles.columns();
    int in = x.spec().dim(1);
    int out = d.spec().dim(1);
    Operand v = WinogradLoops.form(builder, count, in);
    Operand w = WinogradLoops.form(builder, count, out);
    Operand sums = WinogradLoops.form(builder, out, in);
    MatrixProduct product =
        MatrixProduct.of(
            Matrices.of(w, 3).transposed(true), Matrices.of(v, 3), Matrices.of(sums, 3));
    return new Part(
        new WinogradImages(builder, x, tiles, WinogradLoops.of(builder, number, v, tiles)),
        new WinogradGradients(builder, d, tiles, WinogradLoops.of(builder, number, w, tiles)),
        product.primitive(builder),
        product.added(builder),
        v,
        w,
        sums,
        lines);
  }

  /**
   * A thread's share.
   *
   * @param v tiles of the image in the form
   * @param w those of the gradient by y
   * @param lines how many lines of tiles they have room for
   */
  private record Part(
      WinogradImages images,
      WinogradGradients gradients,
      Primitive product,
      Primitive added,
      Operand v,
      Operand w,
      Operand sums,
      int lines) {
    void run(int from, int to) {
      images.begin();
      gradients.begin();
      for (int first = from; first < to; first += lines) {
        int count = Math.min(lines, to - first);
        form(first, count);
        clear(v, count);
        clear(w, count);
        (first == from ? product : added).run();
      }
    }

    private void form(int first, int count) {
      long image = v.sampleOffset(1);
      long gradient = w.sampleOffset(1);
      for (int line = 0; line < count; line++) {
        images.run(first + line, v.address(0, 0) + image / lines * line, image);
        gradients.run(first + line, w.address(0, 0) + gradient / lines * line, gradient);
      }
    }

    /** What no line of tiles was written to counts as zeros. */
    private void clear(Operand form, int count) {
      long step = form.sampleOffset(1);
      long written = step / lines * count;
      for (int position = 0; position < WinogradLoops.POSITIONS && count < lines; position++) {
        long rest = position * step + written;
        form.region().data().asSlice(rest, step - written).fill((byte) 0);
      }
    }
  }
}
