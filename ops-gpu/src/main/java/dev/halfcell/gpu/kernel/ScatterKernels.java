package dev.halfcell.gpu.kernel;

import dev.halfcell.gpu.driver.DeviceMemory;
import dev.halfcell.gpu.driver.GpuKernel.Argument;
import dev.halfcell.op.CellPath;
import dev.halfcell.op.indexing.CoalesceRows;
import dev.halfcell.op.indexing.Indexing;
import dev.halfcell.op.indexing.ScatterAdd;
import dev.halfcell.tensor.DType;
import dev.halfcell.tensor.TensorSpec;
import java.util.ArrayList;
import java.util.List;

/**
 * Sums of the values with the same index, in the order of the indices: {@code scatter.cu}. The
 * look-ups are sorted by their index first, so that no two threads add to one sum.
 */
final class ScatterKernels {
  private static final String FILE = "scatter";

  /** The look-ups that are sorted by one block. */
  private static final long TILE = KernelLaunch.THREADS;

  private ScatterKernels() {}

  static Recipe scatterAdd(KernelLibrary kernels, ScatterAdd op, List<TensorSpec> in, CellPath at) {
    DType dtype = computed(op, in, at);
    String name = op.wide() && dtype.half() ? "scatter_add_wide" : "scatter_add";
    int size = op.to().dim(op.axis());
    return Recipe.of(
        List.of(bytes(in), bytes(in)),
        place -> {
          List<Launch> launches = new ArrayList<>();
          Argument keys = sorted(kernels, place, size, op.ignored().orElse(-1), launches);
          launches.add(
              KernelLaunch.each(
                  kernels.kernel(FILE, name, dtype),
                  place.out(0).spec().size(),
                  place.in(0).argument(),
                  place.out(0).argument(),
                  keys,
                  place.in(1).size(),
                  new Argument.Int64(size),
                  new Argument.Int64(IndexingKernels.run(op.to(), op.axis())),
                  place.out(0).size()));
          return launches;
        });
  }

  static Recipe coalesceRows(
      KernelLibrary kernels, CoalesceRows op, List<TensorSpec> in, CellPath at) {
    DType dtype = computed(op, in, at);
    long starts = bytes(in) + Long.BYTES;
    return Recipe.of(
        List.of(bytes(in), bytes(in), starts),
        place -> {
          List<Launch> launches = new ArrayList<>();
          Argument keys = sorted(kernels, place, op.size(), op.ignored().orElse(-1), launches);
          Argument startOf = new Argument.Address(place.workspaces().get(2));
          DeviceTensor sums = place.out(0);
          launches.add(
              KernelLaunch.each(
                  kernels.kernel(FILE, "distinct_rows"),
                  TILE,
                  keys,
                  place.in(1).size(),
                  place.out(1).argument(),
                  place.out(2).argument(),
                  startOf));
          launches.add(
              KernelLaunch.each(
                  kernels.kernel(FILE, "coalesced_rows", dtype),
                  sums.spec().size(),
                  place.in(0).argument(),
                  sums.argument(),
                  keys,
                  startOf,
                  place.out(2).argument(),
                  new Argument.Int64(sums.spec().dim(1)),
                  sums.size()));
          return launches;
        });
  }

  private static DType computed(Indexing op, List<TensorSpec> in, CellPath at) {
    DType dtype = in.getFirst().dtype();
    if (!ElementwiseKernels.COMPUTED.contains(dtype)) {
      throw Kernels.refusal(op.label(), "one in " + dtype.label(), at);
    }
    if (in.get(1).size() > Integer.MAX_VALUE) {
      throw Kernels.refusal(op.label(), "indices of " + in.get(1).shape(), at);
    }
    return dtype;
  }

  /** Of a key for each look-up. */
  private static long bytes(List<TensorSpec> in) {
    return Long.BYTES * in.get(1).size();
  }

  /** Sorts in the first two workspaces, and gives the one where the keys are then. */
  private static Argument sorted(
      KernelLibrary kernels, Recipe.Place place, int size, int ignored, List<Launch> launches) {
    DeviceTensor indices = place.in(1);
    DeviceMemory from = place.workspaces().get(0);
    DeviceMemory to = place.workspaces().get(1);
    launches.add(
        KernelLaunch.each(
            kernels.kernel(FILE, "sorted_tiles"),
            indices.spec().size(),
            indices.argument(),
            new Argument.Int32(indices.spec().dtype().bytes()),
            indices.size(),
            new Argument.Int64(size),
            new Argument.Int64(ignored),
            new Argument.Address(from),
            place.problem().argument(),
            place.problem().base()));
    launches.add(place.problem().completed(kernels, indices));
    for (long width = TILE; width < indices.spec().size(); width *= 2) {
      launches.add(
          KernelLaunch.each(
              kernels.kernel(FILE, "merged_runs"),
              indices.spec().size(),
              new Argument.Address(from),
              new Argument.Address(to),
              indices.size(),
              new Argument.Int64(width)));
      DeviceMemory merged = to;
      to = from;
      from = merged;
    }
    return new Argument.Address(from);
  }
}
