package dev.halfcell.cpu.kernel;

import dev.halfcell.cpu.onednn.Argument;
import dev.halfcell.cpu.onednn.Argument.Role;
import dev.halfcell.cpu.onednn.Descriptor;
import dev.halfcell.cpu.onednn.Primitive;
import dev.halfcell.cpu.onednn.Region;
import dev.halfcell.tensor.DType;
import dev.halfcell.tensor.Shape;
import java.util.ArrayList;
import java.util.List;

/** A weight, row-major as all see it, in the layouts that oneDNN's kernels want. */
final class Weights {
  private final KernelBuilder builder;
  private final Argument plain;
  private final long[] sizes;
  private final List<Ordered> copies = new ArrayList<>();

  private record Ordered(Descriptor descriptor, Region region) {}

  /** A convolution's. */
  Weights(KernelBuilder builder, Operand weight, int groups) {
    this.builder = builder;
    this.sizes = sizes(weight.spec().shape(), groups);
    Descriptor dense = builder.onednn().dense(builder.handles(), weight.dtype(), sizes);
    this.plain = new Argument(Role.SRC, dense, weight.region(), 0);
  }

  /** The right side of a product. */
  Weights(KernelBuilder builder, Matrices right) {
    this.builder = builder;
    this.sizes = right.sizes().stream().mapToLong(Integer::longValue).toArray();
    this.plain = right.argument(Role.SRC, right.descriptor(builder));
  }

  /** The sizes as oneDNN counts them: groups are an axis of their own. */
  static long[] sizes(Shape shape, int groups) {
    long[] sizes = Reorders.sizes(shape);
    return groups == 1
        ? sizes
        : new long[] {groups, sizes[0] / groups, sizes[1], sizes[2], sizes[3]};
  }

  /** A weight whose layout oneDNN is to choose. */
  Descriptor any(DType dtype) {
    return builder.onednn().any(builder.handles(), dtype, sizes);
  }

  /** The weight in the layout that was chosen; the copies are made by {@link #stage}. */
  Argument in(Descriptor chosen) {
    for (Ordered copy : copies) {
      if (builder.onednn().same(copy.descriptor, chosen)) {
        return new Argument(Role.WEIGHTS, chosen, copy.region, 0);
      }
    }
    Ordered copy = new Ordered(chosen, builder.workspace(chosen.bytes()));
    copies.add(copy);
    return new Argument(Role.WEIGHTS, chosen, copy.region, 0);
  }

  /** Adds the stage that makes the copies: before the one that uses them. */
  void stage() {
    builder.reorders(copies.size());
    Primitive[] reorders = new Primitive[copies.size()];
    for (int i = 0; i < reorders.length; i++) {
      Ordered copy = copies.get(i);
      Argument target = new Argument(Role.DST, copy.descriptor, copy.region, 0);
      reorders[i] = Reorders.primitive(builder, plain, target);
    }
    builder.stage(
        1,
        _ -> {
          for (Primitive reorder : reorders) {
            reorder.run();
          }
        });
  }
}
