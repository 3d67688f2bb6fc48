package dev.halfcell.gpu.kernel;

import dev.halfcell.gpu.driver.GpuKernel;
import dev.halfcell.gpu.driver.GpuKernel.Argument;
import dev.halfcell.gpu.driver.GpuKernel.Size;
import java.util.Arrays;
import java.util.List;

/**
 * The tiles of the result of a product of matrices, each of them made by a block: {@code tile.cuh}.
 *
 * @param rows of a tile: 64 or 16
 * @param across how many lie side by side
 * @param down how many lie below each other
 * @param matrices for how many results
 */
record Tiles(int rows, long across, long down, long matrices) {
  private static final int COLUMNS = 64;
  private static final int TALL = 64;
  private static final int LOW = 16;

  /** With fewer blocks most of a GPU would wait. */
  private static final long FEW_BLOCKS = 128;

  /** Low tiles where there are few rows, or few tall tiles. */
  static Tiles of(long rows, long columns, long matrices) {
    Tiles tall = tall(rows, columns, matrices);
    return tall.blocks() < FEW_BLOCKS ? tiles(LOW, rows, columns, matrices) : tall;
  }

  /** Low tiles where there are few rows. */
  static Tiles tall(long rows, long columns, long matrices) {
    return tiles(rows <= LOW ? LOW : TALL, rows, columns, matrices);
  }

  private static Tiles tiles(int each, long rows, long columns, long matrices) {
    return new Tiles(each, Math.ceilDiv(columns, COLUMNS), Math.ceilDiv(rows, each), matrices);
  }

  /** Whether kernels count so far: to these sizes, and over the edge of the last tile. */
  static boolean count(long... sizes) {
    return Arrays.stream(sizes).allMatch(size -> size <= Integer.MAX_VALUE - TALL);
  }

  long blocks() {
    return across * down * matrices;
  }

  Launch launch(GpuKernel kernel, List<Argument> arguments) {
    return new KernelLaunch(kernel, Size.of(blocks()), Size.of(KernelLaunch.THREADS), arguments);
  }
}
