package dev.halfcell.cpu.kernel;

import dev.halfcell.cpu.onednn.Argument;
import dev.halfcell.cpu.onednn.Descriptor;
import dev.halfcell.cpu.onednn.Region;
import dev.halfcell.tensor.DType;
import dev.halfcell.tensor.TensorSpec;

/** A tensor as kernels see it: dtype and shape, the order of its elements, and the memory. */
public record Operand(TensorSpec spec, Layout layout, Region region) {
  /** A row-major tensor in memory that is still to be placed. */
  public static Operand rowMajor(TensorSpec spec) {
    return new Operand(spec, Layout.ROW_MAJOR, new Region(spec.bytes()));
  }

  DType dtype() {
    return spec.dtype();
  }

  /** Where {@code count} elements lie from position {@code index} on, which are its own. */
  long address(long index, int count) {
    long bytes = dtype().bytes();
    return region.address(index * bytes, count * bytes);
  }

  /** Some samples to a primitive, which goes from sample to sample. */
  Argument samples(Argument.Role role, Descriptor some) {
    return new Argument(role, some, region, 0, sampleOffset(1));
  }

  /** The position of element 0 of sample {@code n}, in bytes. */
  long sampleOffset(int n) {
    return spec.bytes() / spec.dim(0) * n;
  }
}
