package dev.halfcell.cpu.kernel;

import dev.halfcell.tensor.Elements;
import java.lang.foreign.MemorySegment;

/** One value in every element of a tensor of any dtype. */
final class Filling {
  private Filling() {}

  static void stage(KernelBuilder builder, Operand to, double value) {
    builder.stage(1, _ -> fill(to, value));
  }

  /** Writes one element, then doubles what is written. */
  private static void fill(Operand to, double value) {
    MemorySegment data = to.region().data();
    long size = to.spec().bytes();
    long written = to.dtype().bytes();
    Elements.set(data, to.dtype(), 0, value);
    while (written < size) {
      long more = Math.min(written, size - written);
      MemorySegment.copy(data, 0, data, written, more);
      written += more;
    }
  }
}
