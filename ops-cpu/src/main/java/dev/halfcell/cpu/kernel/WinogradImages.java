package dev.halfcell.cpu.kernel;

import dev.halfcell.cpu.onednn.Region;

/**
 * Brings the lines of tiles of an image that lies channels last into Winograd's form. What lies
 * outside of the image is zeros: lines of them, and copies of the tiles at its left and right.
 */
final class WinogradImages {
  private static final int SIDE = WinogradLoops.SIDE;

  private final Operand x;
  private final WinogradTiles tiles;
  private final WinogradLoops loops;
  private final Region zeros;
  private final Region copy;
  private final int height;
  private final int width;
  private final long pixel;
  private final long sample;

  WinogradImages(KernelBuilder builder, Operand x, WinogradTiles tiles, WinogradLoops loops) {
    this.x = x;
    this.tiles = tiles;
    this.loops = loops;
    this.height = x.spec().dim(2);
    this.width = x.spec().dim(3);
    this.pixel = 4L * x.spec().dim(1);
    this.sample = pixel * height * width;
    this.zeros = builder.workspace(pixel * Math.max(width, SIDE));
    this.copy = builder.workspace(pixel * SIDE * SIDE);
  }

  /** Before the first line. */
  void begin() {
    zeros.data().fill((byte) 0);
  }

  /**
   * Brings a line of tiles into the form.
   *
   * @param line of all images' lines of tiles
   * @param to its first tile at the first position
   * @param step the bytes from one position to the next
   */
  void run(int line, long to, long step) {
    int top = tiles.top(line);
    long image = x.region().address(tiles.image(line) * sample, sample);
    long a = line(image, top);
    long b = line(image, top + 1);
    long c = line(image, top + 2);
    long d = line(image, top + 3);
    int first = tiles.firstInside();
    int last = tiles.lastInside(width);
    if (last > first) {
      long at = tiles.left(first) * pixel;
      pairs(a + at, b + at, c + at, d + at, to + first * pixel, step, last - first);
    }
    for (int tile = 0; tile < first; tile++) {
      outside(a, b, c, d, tile, to, step);
    }
    for (int tile = last; tile < tiles.columns(); tile++) {
      outside(a, b, c, d, tile, to, step);
    }
  }

  private long line(long image, int y) {
    return y < 0 || y >= height ? zeros.address(0, 0) : image + y * pixel * width;
  }

  private void pairs(long a, long b, long c, long d, long to, long step, int count) {
    long line = SIDE * step;
    loops.image(a, c, false, to, count);
    loops.image(b, c, true, to + line, count);
    loops.image(c, b, false, to + 2 * line, count);
    loops.image(b, d, false, to + 3 * line, count);
  }

  private void outside(long a, long b, long c, long d, int tile, long to, long step) {
    int left = tiles.left(tile);
    long line = SIDE * pixel;
    long at = copy.address(0, SIDE * line);
    copy(a, left, at);
    copy(b, left, at + line);
    copy(c, left, at + 2 * line);
    copy(d, left, at + 3 * line);
    pairs(at, at + line, at + 2 * line, at + 3 * line, to + tile * pixel, step, 1);
  }

  private void copy(long line, int left, long to) {
    int from = Math.max(0, -left);
    int end = Math.min(SIDE, width - left);
    long nothing = zeros.address(0, 0);
    Transfers.copy(nothing, to, from * pixel);
    Transfers.copy(line + (left + from) * pixel, to + from * pixel, (end - from) * pixel);
    Transfers.copy(nothing, to + end * pixel, (SIDE - end) * pixel);
  }
}
