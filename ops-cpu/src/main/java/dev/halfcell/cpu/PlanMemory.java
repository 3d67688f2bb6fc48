package dev.halfcell.cpu;

import dev.halfcell.tensor.MemoryException;
import dev.halfcell.tensor.Problem;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;

/**
 * Memory of zeros whose pages the system gives where they are first used, by C's {@code calloc}.
 * Java's own would be filled with zeros first, which on a plan of a gigabyte takes longer than
 * compiling it.
 */
final class PlanMemory implements AutoCloseable {
  private static final long ALIGNMENT = 64;
  private static final MethodHandle CALLOC =
      function(
          "calloc",
          FunctionDescriptor.of(
              ValueLayout.JAVA_LONG, ValueLayout.JAVA_LONG, ValueLayout.JAVA_LONG));
  private static final MethodHandle FREE =
      function("free", FunctionDescriptor.ofVoid(ValueLayout.JAVA_LONG));

  private final Arena arena = Arena.ofShared();
  private final MemorySegment data;

  private PlanMemory(long address, long bytes) {
    long begin = Math.ceilDiv(address, ALIGNMENT) * ALIGNMENT;
    data = MemorySegment.ofAddress(begin).reinterpret(bytes, arena, _ -> free(address));
  }

  /**
   * So many bytes on a boundary of 64.
   *
   * @throws MemoryException where the system has not as many
   */
  static PlanMemory of(long bytes) {
    long address = calloc(bytes + ALIGNMENT);
    if (address == 0) {
      throw new MemoryException(
          new Problem(
              "plan",
              "",
              bytes + " bytes of memory outside the heap",
              "less, says the system",
              "Take a smaller batch or network, or end other programs."));
    }
    return new PlanMemory(address, bytes);
  }

  private static MethodHandle function(String name, FunctionDescriptor type) {
    Linker linker = Linker.nativeLinker();
    return linker.downcallHandle(linker.defaultLookup().findOrThrow(name), type);
  }

  private static long calloc(long bytes) {
    try {
      return (long) CALLOC.invokeExact(1L, bytes);
    } catch (Throwable e) {
      throw new IllegalStateException("calloc", e); // C throws nothing
    }
  }

  private static void free(long address) {
    try {
      FREE.invokeExact(address);
    } catch (Throwable e) {
      throw new IllegalStateException("free", e); // C throws nothing
    }
  }

  MemorySegment data() {
    return data;
  }

  @Override
  public void close() {
    if (arena.scope().isAlive()) {
      arena.close();
    }
  }
}
