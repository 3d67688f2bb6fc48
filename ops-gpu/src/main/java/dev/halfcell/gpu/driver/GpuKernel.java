package dev.halfcell.gpu.driver;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.List;
import jcuda.driver.CUfunction;
import jcuda.driver.CUfunction_attribute;
import jcuda.driver.JCudaDriver;

/** A function that a device runs, in blocks of threads. */
public final class GpuKernel {
  private static final long WORD = 8;

  private final String name;
  private final CUfunction function;
  private final int sharedBytes;

  private GpuKernel(String name, CUfunction function, int sharedBytes) {
    this.name = name;
    this.function = function;
    this.sharedBytes = sharedBytes;
  }

  GpuKernel(String name, CUfunction function) {
    this(name, function, 0);
  }

  /** How many of something along three axes. */
  public record Size(int x, int y, int z) {
    /** Along one axis. */
    public static Size of(long x) {
      return new Size(Math.toIntExact(x), 1, 1);
    }
  }

  /** A value that a kernel takes. */
  public sealed interface Argument {
    /** The start of device memory. */
    record Address(DeviceMemory memory) implements Argument {}

    /** An {@code int}. */
    record Int32(int value) implements Argument {}

    /** A {@code long long}. */
    record Int64(long value) implements Argument {}

    /** A {@code float}. */
    record Float32(float value) implements Argument {}

    /** A {@code double}. */
    record Float64(double value) implements Argument {}

    /** A structure of {@code long long}s, by value. */
    record Words(List<Long> values) implements Argument {
      public Words {
        values = List.copyOf(values);
      }
    }

    /** The bytes that it takes of a launch. */
    default long bytes() {
      return this instanceof Words(List<Long> values) ? WORD * values.size() : WORD;
    }
  }

  /** The name in its source. */
  public String name() {
    return name;
  }

  /**
   * The same whose blocks have so much shared memory beside what its code says.
   *
   * @param bytes of it
   * @param most what a block of the device may have: {@link GpuDevice#mostSharedBytes}
   */
  public GpuKernel sharing(int bytes, int most) {
    int which = CUfunction_attribute.CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES;
    Call.check(
        JCudaDriver.cuFuncSetAttribute(function, which, most),
        "cuFuncSetAttribute",
        "kernel " + name + " with up to " + most + " bytes of shared memory");
    return new GpuKernel(name, function, bytes);
  }

  /** Queues a run. The arguments are taken over at once. */
  public void launch(GpuStream on, Size grid, Size block, List<Argument> arguments) {
    try (Arena arena = Arena.ofConfined()) {
      long bytes = arguments.stream().mapToLong(Argument::bytes).sum();
      MemorySegment values = arena.allocate(Math.max(WORD, bytes), WORD);
      MemorySegment pointers = arena.allocate(WORD * Math.max(1, arguments.size()), WORD);
      long at = 0;
      for (int i = 0; i < arguments.size(); i++) {
        write(arguments.get(i), values, at);
        pointers.set(ValueLayout.JAVA_LONG, WORD * i, values.address() + at);
        at += arguments.get(i).bytes();
      }
      Call.check(
          JCudaDriver.cuLaunchKernel(
              function,
              grid.x(),
              grid.y(),
              grid.z(),
              block.x(),
              block.y(),
              block.z(),
              sharedBytes,
              on.handle(),
              PinnedMemory.Address.of(pointers),
              null),
          "cuLaunchKernel",
          "kernel " + name + " launched on " + grid + " blocks of " + block);
    }
  }

  private static void write(Argument argument, MemorySegment to, long at) {
    switch (argument) {
      case Argument.Address(DeviceMemory memory) ->
          to.set(ValueLayout.JAVA_LONG, at, memory.address());
      case Argument.Int32(int value) -> to.set(ValueLayout.JAVA_INT, at, value);
      case Argument.Int64(long value) -> to.set(ValueLayout.JAVA_LONG, at, value);
      case Argument.Float32(float value) -> to.set(ValueLayout.JAVA_FLOAT, at, value);
      case Argument.Float64(double value) -> to.set(ValueLayout.JAVA_DOUBLE, at, value);
      case Argument.Words(List<Long> words) -> {
        for (int i = 0; i < words.size(); i++) {
          to.set(ValueLayout.JAVA_LONG, at + WORD * i, words.get(i));
        }
      }
    }
  }
}
