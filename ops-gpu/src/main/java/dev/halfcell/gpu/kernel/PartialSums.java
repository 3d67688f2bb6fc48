package dev.halfcell.gpu.kernel;

import dev.halfcell.gpu.driver.DeviceMemory;
import dev.halfcell.gpu.driver.GpuKernel.Argument;

/**
 * Long sums in parts, each of them added up in FP32 by a block of its own, and the parts then in
 * order: {@code parts.cu}.
 *
 * @param length how many numbers make a sum
 * @param chunk how many of them make a part
 */
record PartialSums(long length, long chunk) {
  /** As many blocks keep a large GPU busy. */
  private static final long BUSY = 512;

  /** So many parts are added up by several threads. */
  private static final long MANY = 16;

  /** The sums that a block adds up of many parts. */
  private static final long SUMS = 32;

  /** The least that a part is worth its place in memory for. */
  private static final long LEAST = 256;

  /** Sums that {@code blocks} blocks would add up whole. */
  static PartialSums of(long length, long blocks) {
    long parts = Math.clamp(Math.ceilDiv(BUSY, blocks), 1, Math.ceilDiv(length, LEAST));
    return new PartialSums(length, Math.ceilDiv(length, parts));
  }

  /** Sums of which so many parts are there already. */
  static PartialSums ofParts(long parts) {
    return new PartialSums(parts, 1);
  }

  /** Sums in one part. */
  static PartialSums whole(long length) {
    return new PartialSums(length, length);
  }

  /** The same in parts that are whole steps long, but for the last one. */
  PartialSums inSteps(int step) {
    return new PartialSums(length, Math.ceilDiv(chunk, step) * step);
  }

  long parts() {
    return Math.ceilDiv(length, chunk);
  }

  /** Of all parts of so many sums. */
  long bytes(long sums) {
    return Float.BYTES * parts() * sums;
  }

  /**
   * Adds up the parts, and rounds once.
   *
   * @param bias a number for each place of y's last axis, or the address of no memory
   * @param relu whether sums below 0 become 0
   */
  Launch put(
      KernelLibrary kernels, DeviceMemory parts, Argument bias, DeviceTensor y, boolean relu) {
    boolean many = parts() >= MANY;
    long threads =
        many ? Math.ceilDiv(y.spec().size(), SUMS) * KernelLaunch.THREADS : y.spec().size();
    return KernelLaunch.each(
        kernels.kernel("parts", many ? "sum_of_many_parts" : "sum_of_parts", y.spec().dtype()),
        threads,
        new Argument.Address(parts),
        bias,
        y.argument(),
        new Argument.Int64(parts()),
        new Argument.Int32(y.spec().dim(y.spec().rank() - 1)),
        new Argument.Int32(relu ? 1 : 0),
        y.size());
  }
}
