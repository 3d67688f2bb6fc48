package dev.halfcell.gpu.kernel;

import dev.halfcell.gpu.driver.GpuKernel.Argument;
import dev.halfcell.op.CellPath;
import dev.halfcell.op.indexing.CoalesceRows;
import dev.halfcell.op.indexing.Embedding;
import dev.halfcell.op.indexing.Gather;
import dev.halfcell.op.indexing.Indexing;
import dev.halfcell.op.indexing.OneHot;
import dev.halfcell.op.indexing.ScatterAdd;
import dev.halfcell.op.shape.ReverseSequence;
import dev.halfcell.tensor.DType;
import dev.halfcell.tensor.Elements;
import dev.halfcell.tensor.Shape;
import dev.halfcell.tensor.TensorSpec;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.List;

/**
 * Look-ups by numbers that are data: {@code indexing.cu}; for their sums see {@link
 * ScatterKernels}.
 */
final class IndexingKernels {
  private static final String FILE = "indexing";
  private static final int MOST_BYTES = 16;

  private IndexingKernels() {}

  static Recipe of(KernelLibrary kernels, Indexing op, List<TensorSpec> in, CellPath at) {
    return switch (op) {
      case Embedding _ -> gather(kernels, in.getFirst(), 0);
      case Gather(int axis) -> gather(kernels, in.getFirst(), axis);
      case OneHot oneHot -> oneHot(kernels, oneHot);
      case ScatterAdd scatter -> ScatterKernels.scatterAdd(kernels, scatter, in, at);
      case CoalesceRows rows -> ScatterKernels.coalesceRows(kernels, rows, in, at);
    };
  }

  /** How many elements follow each other under one place along an axis. */
  static long run(Shape shape, int axis) {
    return new Shape(shape.dims().subList(axis + 1, shape.rank())).size();
  }

  /** The most bytes that a thread moves at once where {@code bytes} follow each other. */
  private static int unit(long bytes) {
    return Math.toIntExact(Math.min(MOST_BYTES, Long.lowestOneBit(bytes)));
  }

  private static Recipe gather(KernelLibrary kernels, TensorSpec x, int axis) {
    long run = run(x.shape(), axis) * x.dtype().bytes();
    int unit = unit(run);
    return Recipe.of(
        place -> {
          DeviceTensor indices = place.in(1);
          long moved = place.out(0).spec().bytes() / unit;
          return List.of(
              KernelLaunch.each(
                  kernels.kernel(FILE, "gather_" + unit),
                  moved,
                  place.in(0).argument(),
                  place.out(0).argument(),
                  new Argument.Int64(x.dim(axis)),
                  new Argument.Int64(run / unit),
                  indices.argument(),
                  new Argument.Int32(indices.spec().dtype().bytes()),
                  indices.size(),
                  new Argument.Int64(moved),
                  place.problem().argument(),
                  place.problem().base()),
              place.problem().completed(kernels, indices));
        });
  }

  private static Recipe oneHot(KernelLibrary kernels, OneHot op) {
    DType dtype = op.dtype();
    return Recipe.of(
        place -> {
          DeviceTensor indices = place.in(0);
          return List.of(
              KernelLaunch.each(
                  kernels.kernel(FILE, "one_hot_" + dtype.bytes()),
                  place.out(0).spec().size(),
                  place.out(0).argument(),
                  new Argument.Int64(op.depth()),
                  new Argument.Int64(bits(op.on(), dtype)),
                  new Argument.Int64(bits(op.off(), dtype)),
                  indices.argument(),
                  new Argument.Int32(indices.spec().dtype().bytes()),
                  indices.size(),
                  place.out(0).size(),
                  place.problem().argument(),
                  place.problem().base()),
              place.problem().completed(kernels, indices));
        });
  }

  /** The bits of an element of this value. */
  private static long bits(double value, DType dtype) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment element = arena.allocate(Long.BYTES, Long.BYTES);
      Elements.set(element, dtype, 0, value);
      return element.get(ValueLayout.JAVA_LONG, 0);
    }
  }

  /** How sequences are reversed. */
  static Recipe reverse(KernelLibrary kernels, ReverseSequence op, List<TensorSpec> in) {
    TensorSpec x = in.getFirst();
    long bytes = x.dtype().bytes();
    long samples = run(x.shape(), op.batchAxis()) * bytes;
    long steps = run(x.shape(), op.timeAxis()) * bytes;
    int unit = unit(Math.min(samples, steps));
    return Recipe.of(
        place -> {
          long moved = x.bytes() / unit;
          return List.of(
              KernelLaunch.each(
                  kernels.kernel(FILE, "reverse_sequence_" + unit),
                  moved,
                  place.in(0).argument(),
                  place.out(0).argument(),
                  new Argument.Int64(x.dim(op.batchAxis())),
                  new Argument.Int64(samples / unit),
                  new Argument.Int64(x.dim(op.timeAxis())),
                  new Argument.Int64(steps / unit),
                  place.in(1).argument(),
                  new Argument.Int64(moved),
                  place.problem().argument(),
                  place.problem().base()),
              place.problem().completed(kernels, place.in(1)));
        });
  }
}
