package dev.halfcell.cpu.kernel;

import dev.halfcell.cpu.onednn.Region;

/**
 * Brings lines of tiles of a gradient by y, which lies channels last, into Winograd's form. Where a
 * line of tiles has a line or column too much, zeros stand there.
 */
final class WinogradGradients {
  private final Operand d;
  private final WinogradTiles tiles;
  private final WinogradLoops loops;
  private final Region zeros;
  private final Region lines;
  private final int height;
  private final int width;
  private final long pixel;

  WinogradGradients(KernelBuilder builder, Operand d, WinogradTiles tiles, WinogradLoops loops) {
    this.d = d;
    this.tiles = tiles;
    this.loops = loops;
    this.height = d.spec().dim(2);
    this.width = d.spec().dim(3);
    this.pixel = 4L * d.spec().dim(1);
    this.zeros = builder.workspace(line());
    this.lines = builder.workspace(2 * line());
  }

  /** The bytes of a line of pixels of whole tiles. */
  private long line() {
    return 2 * pixel * tiles.columns();
  }

  /** Before the first line. */
  void begin() {
    zeros.data().fill((byte) 0);
    lines.data().fill((byte) 0);
  }

  /**
   * Brings a line of tiles into the form.
   *
   * @param line of all images' lines of tiles
   * @param to its first tile at the first position
   * @param step the bytes from one position to the next
   */
  void run(int line, long to, long step) {
    int top = tiles.y(line);
    long sample = pixel * height * width;
    long from = d.region().address(tiles.image(line) * sample, sample) + top * pixel * width;
    long nothing = zeros.address(0, line());
    long a = whole(from, 0);
    long b = top + 1 < height ? whole(from + pixel * width, line()) : nothing;
    long next = WinogradLoops.SIDE * step;
    int count = tiles.columns();
    loops.gradient(a, nothing, true, to, count);
    loops.gradient(a, b, true, to + next, count);
    loops.gradient(a, b, false, to + 2 * next, count);
    loops.gradient(b, nothing, true, to + 3 * next, count);
  }

  /** A line of whole tiles: itself, or a copy before zeros. */
  private long whole(long from, long at) {
    if (width == 2 * tiles.columns()) {
      return from;
    }
    long copy = lines.address(at, line());
    Transfers.copy(from, copy, pixel * width);
    return copy;
  }
}
