package dev.halfcell.cpu.kernel;

import dev.halfcell.cpu.onednn.Argument;
import dev.halfcell.cpu.onednn.Argument.Role;
import dev.halfcell.cpu.onednn.Descriptor;
import dev.halfcell.cpu.onednn.Primitive;
import dev.halfcell.cpu.onednn.Recipe;
import dev.halfcell.op.linear.Dense;
import dev.halfcell.op.linear.Linear;
import dev.halfcell.op.linear.MatMul;
import dev.halfcell.tensor.DType;
import dev.halfcell.tensor.Shape;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;

/**
 * Matrix products by oneDNN, shared out along an axis of the result: the longest of its leading
 * ones where that has enough matrices, else its rows or columns, whichever are more; never along
 * the sum, so that nothing has to be added up afterwards.
 */
final class MatrixKernels {
  private static final int UNIT = 16;

  private MatrixKernels() {}

  static void build(KernelBuilder builder, Linear op, List<Operand> in, Operand out) {
    switch (op) {
      case Dense() -> {
        var _ = dense(builder, in, out);
      }
      case MatMul(boolean transposeA, boolean transposeB, _) -> {
        var _ =
            product(builder, in.get(0), transposeA, in.get(1), transposeB, Optional.empty(), out);
      }
    }
  }

  /** y = x · weightᵀ + bias. Returns what was computed into, before any conversion. */
  static Operand dense(KernelBuilder builder, List<Operand> in, Operand out) {
    Optional<Operand> bias = in.size() == 3 ? Optional.of(in.get(2)) : Optional.empty();
    return product(builder, in.get(0), false, in.get(1), true, bias, out);
  }

  /** dweight = dᵀ · x. */
  static void weightGradient(KernelBuilder builder, Operand d, Operand x, Operand out) {
    var _ = product(builder, d, true, x, false, Optional.empty(), out);
  }

  /** c = a · b. Returns what was computed into, before any conversion. */
  static Operand product(
      KernelBuilder builder,
      Operand a,
      boolean transposeA,
      Operand b,
      boolean transposeB,
      Operand c) {
    return product(builder, a, transposeA, b, transposeB, Optional.empty(), c);
  }

  /**
   * c = a · b in FP32 as one primitive for each part of the rows, which the caller runs; a and c
   * are in FP32 already.
   */
  static Primitive[] byRows(
      KernelBuilder builder, Operand a, Operand b, boolean transposeB, Operand c, Split rows) {
    Operand right = builder.in(b, DType.FP32, Layout.ROW_MAJOR);
    Product product =
        new Product(
            Matrices.of(a, 2),
            Matrices.of(right, 2).transposed(transposeB),
            Optional.empty(),
            Matrices.of(c, 2));
    Primitive[] parts = new Primitive[rows.parts()];
    for (int part = 0; part < parts.length; part++) {
      parts[part] = product.part(0, rows.from(part), rows.size(part)).primitive(builder);
    }
    return parts;
  }

  private static Operand product(
      KernelBuilder builder,
      Operand a,
      boolean transposeA,
      Operand b,
      boolean transposeB,
      Optional<Operand> bias,
      Operand c) {
    DType computed = builder.computed(a.dtype());
    boolean wide = c.dtype() == DType.FP32;
    Operand left = builder.in(a, computed, Layout.ROW_MAJOR);
    Operand right = builder.in(b, computed, Layout.ROW_MAJOR);
    Optional<Operand> row = bias.map(x -> builder.in(x, computed, Layout.ROW_MAJOR));
    Operand out = builder.out(c, wide ? DType.FP32 : computed, Layout.ROW_MAJOR);
    boolean oneRight = right.spec().rank() == 2 && !transposeA;
    int rank = oneRight ? 2 : out.spec().rank();
    Product product =
        new Product(
            Matrices.of(oneRight ? rows(left) : left, rank).transposed(transposeA),
            Matrices.of(right, rank).transposed(transposeB),
            row.map(x -> Matrices.of(x, rank)),
            Matrices.of(oneRight ? rows(out) : out, rank));
    shareOut(builder, product);
    return out;
  }

  /** All leading axes as one, where the same matrix stands on the right of all. */
  static Operand rows(Operand x) {
    int columns = x.spec().dim(x.spec().rank() - 1);
    Shape shape = Shape.of(Math.toIntExact(x.spec().size() / columns), columns);
    return new Operand(x.spec().as(shape), Layout.ROW_MAJOR, x.region());
  }

  private static void shareOut(KernelBuilder builder, Product product) {
    int axis = product.longest(builder.threads());
    int unit = axis == product.c().rank() - 1 ? UNIT : 1;
    Split split = Split.of(product.c().size(axis), unit, builder.threads());
    Primitive[] parts = new Primitive[split.parts()];
    for (int part = 0; part < parts.length; part++) {
      parts[part] = product.part(axis, split.from(part), split.size(part)).primitive(builder);
    }
    builder.stage(parts.length, part -> parts[part].run());
  }

  /** c = a · b + bias. All have as many axes. */
  private record Product(Matrices a, Matrices b, Optional<Matrices> bias, Matrices c) {
    /** The axis of c to share out. */
    int longest(int threads) {
      int rows = c.rank() - 2;
      int longest = 0;
      for (int axis = 1; axis < rows; axis++) {
        longest = c.size(axis) > c.size(longest) ? axis : longest;
      }
      if (longest < rows && c.size(longest) >= threads) {
        return longest;
      }
      return c.size(rows) >= c.size(rows + 1) ? rows : rows + 1;
    }

    Product part(int axis, int from, int count) {
      int rows = c.rank() - 2;
      return new Product(
          axis == rows + 1 ? a : a.part(axis, from, count),
          axis == rows ? b : b.part(axis, from, count),
          axis == rows ? bias : bias.map(x -> x.part(axis, from, count)),
          c.part(axis, from, count));
    }

    Primitive primitive(KernelBuilder builder) {
      Descriptor left = a.descriptor(builder);
      Descriptor right = b.descriptor(builder);
      Descriptor row = bias.map(x -> x.descriptor(builder)).orElse(Descriptor.NONE);
      Descriptor result = c.descriptor(builder);
      Recipe recipe = builder.recipes().product(left, right, row, result);
      builder.note(recipe.implementation());
      List<Argument> arguments = new ArrayList<>();
      arguments.add(a.argument(Role.SRC, left));
      arguments.add(b.argument(Role.WEIGHTS, right));
      bias.ifPresent(x -> arguments.add(x.argument(Role.BIAS, row)));
      arguments.add(c.argument(Role.DST, result));
      return builder.primitive(recipe, arguments.toArray(Argument[]::new));
    }
  }

  /**
   * Matrices in memory, or a part of them: the size of each axis and the step from one element to
   * the next along it, in elements. One of size 1 is repeated.
   */
  private record Matrices(Operand operand, List<Integer> sizes, List<Long> steps, long first) {
    /** A dense tensor, with further axes of size 1 in front. */
    static Matrices of(Operand x, int rank) {
      List<Integer> sizes = new ArrayList<>(x.spec().shape().dims());
      List<Long> steps = new ArrayList<>();
      long step = 1;
      for (int size : sizes.reversed()) {
        steps.addFirst(step);
        step *= size;
      }
      while (sizes.size() < rank) {
        sizes.addFirst(1);
        steps.addFirst(step);
      }
      return new Matrices(x, List.copyOf(sizes), List.copyOf(steps), 0);
    }

    int rank() {
      return sizes.size();
    }

    int size(int axis) {
      return sizes.get(axis);
    }

    Matrices transposed(boolean really) {
      return really ? new Matrices(operand, swapped(sizes), swapped(steps), first) : this;
    }

    private static <T> List<T> swapped(List<T> ofAxes) {
      List<T> swapped = new ArrayList<>(ofAxes);
      Collections.swap(swapped, ofAxes.size() - 2, ofAxes.size() - 1);
      return List.copyOf(swapped);
    }

    Matrices part(int axis, int from, int count) {
      if (size(axis) == 1) {
        return this;
      }
      List<Integer> fewer = new ArrayList<>(sizes);
      fewer.set(axis, count);
      return new Matrices(operand, List.copyOf(fewer), steps, first + from * steps.get(axis));
    }

    Descriptor descriptor(KernelBuilder builder) {
      return builder
          .onednn()
          .strided(
              builder.handles(),
              operand.dtype(),
              sizes.stream().mapToLong(Integer::longValue).toArray(),
              steps.stream().mapToLong(Long::longValue).toArray());
    }

    Argument argument(Role role, Descriptor descriptor) {
      return new Argument(role, descriptor, operand.region(), first * operand.dtype().bytes());
    }
  }
}
