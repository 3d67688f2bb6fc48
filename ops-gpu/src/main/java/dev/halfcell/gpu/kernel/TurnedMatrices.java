package dev.halfcell.gpu.kernel;

import dev.halfcell.gpu.driver.DeviceMemory;
import dev.halfcell.gpu.driver.GpuKernel.Argument;
import dev.halfcell.gpu.driver.GpuKernel.Size;
import dev.halfcell.tensor.DType;
import dev.halfcell.tensor.Shape;
import java.util.List;

/**
 * Matrices of one size, one behind the other, that are turned over: {@code turn.cu}.
 *
 * @param matrices how many
 * @param rows of each
 * @param columns of each
 */
record TurnedMatrices(long matrices, long rows, long columns) {
  private static final int SIDE = 64;
  private static final int THREADS = 256;

  /** Blocks along an axis of a grid that is not the first. */
  private static final long MOST_DOWN = 65_535;

  /** Images [N, C, H, W] that become [N, H, W, C]. */
  static TurnedMatrices channelsLast(Shape images) {
    return new TurnedMatrices(images.dim(0), images.dim(1), images.tail().tail().size());
  }

  /** What becomes [N, C, H, W] again. */
  static TurnedMatrices channelsFirst(Shape images) {
    return new TurnedMatrices(images.dim(0), images.tail().tail().size(), images.dim(1));
  }

  /** Copies an image whose channels lie last to where they come first. */
  static Launch rowMajor(KernelLibrary kernels, DeviceTensor x, DeviceMemory to) {
    DType dtype = x.spec().dtype();
    return channelsFirst(x.spec().shape()).launch(kernels, dtype, x.memory(), dtype, to);
  }

  /** Copies an image to where its channels lie last. */
  static Launch channelsLast(KernelLibrary kernels, DeviceTensor x, DeviceMemory to) {
    DType dtype = x.spec().dtype();
    return channelsLast(x.spec().shape()).launch(kernels, dtype, x.memory(), dtype, to);
  }

  /** Whether nothing has to move, for rows or columns have one element. */
  boolean lieAlike() {
    return rows == 1 || columns == 1;
  }

  /** Whether a grid reaches all of them. */
  boolean fit() {
    return down() <= MOST_DOWN && matrices * across() <= Integer.MAX_VALUE;
  }

  /** Of all their elements. */
  long bytes(DType dtype) {
    return dtype.bytes() * matrices * rows * columns;
  }

  private long across() {
    return Math.ceilDiv(columns, SIDE);
  }

  private long down() {
    return Math.ceilDiv(rows, SIDE);
  }

  /**
   * Turns x over.
   *
   * @param to the dtype of y: that of x, or FP32
   */
  Launch launch(KernelLibrary kernels, DType from, DeviceMemory x, DType to, DeviceMemory y) {
    String name = from == to ? String.valueOf(from.bytes()) : from.label() + "_" + to.label();
    return new KernelLaunch(
        kernels.kernel("turn", "turn_" + name),
        new Size(Math.toIntExact(matrices * across()), Math.toIntExact(down()), 1),
        Size.of(THREADS),
        List.of(
            new Argument.Address(x),
            new Argument.Address(y),
            new Argument.Words(List.of(rows, columns, across()))));
  }
}
