package dev.halfcell.cpu.kernel;

import dev.halfcell.cpu.onednn.Region;
import java.util.Optional;

/**
 * Brings lines of tiles out of Winograd's form into a result that lies channels last, and adds the
 * bias. Where a line of tiles has a line or column too much, it goes through memory of its own.
 */
final class WinogradResults {
  private final Operand y;
  private final WinogradTiles tiles;
  private final WinogradLoops loops;
  private final Optional<Operand> bias;
  private final Region row;
  private final Region lines;
  private final int height;
  private final int width;
  private final long pixel;

  WinogradResults(
      KernelBuilder builder,
      Operand y,
      WinogradTiles tiles,
      Optional<Operand> bias,
      WinogradLoops loops) {
    this.y = y;
    this.tiles = tiles;
    this.loops = loops;
    this.bias = bias;
    this.height = y.spec().dim(2);
    this.width = y.spec().dim(3);
    this.pixel = 4L * y.spec().dim(1);
    this.row = builder.workspace(pixel);
    this.lines = builder.workspace(2 * line());
  }

  /** The bytes of a line of pixels of whole tiles. */
  private long line() {
    return 2 * pixel * tiles.columns();
  }

  /** Before the first line. */
  void begin() {
    if (bias.isPresent()) {
      Transfers.copy(bias.get().address(0, y.spec().dim(1)), row.address(0, pixel), pixel);
    } else {
      row.data().fill((byte) 0);
    }
  }

  /**
   * Brings a line of tiles out of the form.
   *
   * @param line of all images' lines of tiles
   * @param from its first tile at the first position
   * @param step the bytes from one position to the next
   */
  void run(int line, long from, long step) {
    int top = tiles.y(line);
    long sample = pixel * height * width;
    long to = y.region().address(tiles.image(line) * sample, sample) + top * pixel * width;
    boolean both = top + 1 < height;
    boolean straight = both && width == 2 * tiles.columns();
    long upper = straight ? to : lines.address(0, 2 * line());
    long lower = upper + line();
    long biases = row.address(0, pixel);
    loops.result(from, true, biases, upper, tiles.columns());
    loops.result(from + WinogradLoops.SIDE * step, false, biases, lower, tiles.columns());
    if (!straight) {
      Transfers.copy(upper, to, pixel * width);
      Transfers.copy(lower, to + pixel * width, both ? pixel * width : 0);
    }
  }
}
