package dev.halfcell.gpu.driver;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.MemoryLayout;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * A driver for machines without a GPU: {@code libcuda.so.1} of src/test/cpp, whose kernels are the
 * same sources as those of the PTX, compiled by g++. It shuffles threads and blocks by a seed, does
 * nothing before somebody waits for it, poisons memory and finds what is written beyond it.
 */
public final class EmulatedGpu {
  private final RigLibrary rig;

  private EmulatedGpu(RigLibrary rig) {
    this.rig = rig;
  }

  /** Builds it where its sources have changed. Tests are skipped, and say so, without g++. */
  public static EmulatedGpu build() {
    return new EmulatedGpu(
        RigLibrary.build(
            "libcuda.so.1",
            List.of("src/test/cpp", "src/main/cuda", "src/test/cuda"),
            List.of(),
            List.of(),
            List.of()));
  }

  /** Its device, opened. */
  public GpuDevice open() {
    recover();
    return GpuDevice.open(Optional.of(library()), 0);
  }

  /** Its file, as users would pass a driver. */
  public Path library() {
    return rig.file();
  }

  /** Makes the order of threads and blocks follow from {@code seed}. */
  public void seed(long seed) {
    rig.call("rig_seed", FunctionDescriptor.ofVoid(JAVA_LONG), seed);
  }

  /** Has a call answer an error, after it has succeeded {@code after} times more. */
  public void fail(String name, int error, int after) {
    try (Arena arena = Arena.ofConfined()) {
      FunctionDescriptor shape = FunctionDescriptor.ofVoid(ADDRESS, JAVA_INT, JAVA_INT);
      rig.call("rig_fail", shape, arena.allocateFrom(name), error, after);
    }
  }

  /** How often the driver was called by this name. */
  public long calls(String name) {
    try (Arena arena = Arena.ofConfined()) {
      return (long)
          rig.call(
              "rig_calls", FunctionDescriptor.of(JAVA_LONG, ADDRESS), arena.allocateFrom(name));
    }
  }

  /** How many pieces of device memory are taken. */
  public long allocations() {
    return (long) rig.call("rig_allocations", FunctionDescriptor.of(JAVA_LONG));
  }

  /** How much memory the device has. */
  public void memory(long bytes) {
    rig.call("rig_memory", FunctionDescriptor.ofVoid(JAVA_LONG), bytes);
  }

  /**
   * What the device and its driver say they are, until {@link #recover}.
   *
   * @param capability in tenths
   * @param cuda the newest CUDA of the driver: 13000 is 13.0
   */
  public void device(int capability, int cuda) {
    rig.call("rig_device", FunctionDescriptor.ofVoid(JAVA_INT, JAVA_INT), capability, cuda);
  }

  /** Forgets what failed, as only a new process can on a real device. */
  public void recover() {
    rig.call("rig_recover", FunctionDescriptor.ofVoid(new MemoryLayout[0]));
  }
}
