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
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Matrix products by oneDNN, shared out along the rows or the columns of the result, whichever are
 * more; never along the sum, so that nothing has to be added up afterwards.
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

  private static Operand product(
      KernelBuilder builder,
      Operand a,
      boolean transposeA,
      Operand b,
      boolean transposeB,
      Optional<Operand> bias,
      Operand c) {
    DType computed = builder.computed(a.dtype());
    Matrix left = Matrix.of(builder.in(a, computed, Layout.ROW_MAJOR), transposeA);
    Matrix right = Matrix.of(builder.in(b, computed, Layout.ROW_MAJOR), transposeB);
    Optional<Matrix> row = bias.map(x -> Matrix.row(builder.in(x, computed, Layout.ROW_MAJOR)));
    boolean wide = c.dtype() == DType.FP32;
    Operand out = builder.out(c, wide ? DType.FP32 : computed, Layout.ROW_MAJOR);
    Product product = new Product(left, right, row, Matrix.of(out, false));
    boolean byRows = product.c().rows() >= product.c().columns();
    Split split =
        Split.of(
            byRows ? product.c().rows() : product.c().columns(), unit(byRows), builder.threads());
    Primitive[] parts = new Primitive[split.parts()];
    for (int part = 0; part < parts.length; part++) {
      parts[part] = product.part(byRows, split.from(part), split.size(part)).primitive(builder);
    }
    builder.stage(parts.length, part -> parts[part].run());
    return out;
  }

  private static int unit(boolean byRows) {
    return byRows ? 1 : UNIT;
  }

  /** c = a · b + bias. */
  private record Product(Matrix a, Matrix b, Optional<Matrix> bias, Matrix c) {
    Product part(boolean byRows, int from, int count) {
      return byRows
          ? new Product(a.rows(from, count), b, bias, c.rows(from, count))
          : new Product(
              a,
              b.columns(from, count),
              bias.map(x -> x.columns(from, count)),
              c.columns(from, count));
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

  /** A matrix in memory, or a part of one: steps downward and to the right, in elements. */
  private record Matrix(Operand operand, int rows, int columns, int down, int right, long first) {
    static Matrix of(Operand x, boolean transposed) {
      int rows = x.spec().dim(0);
      int columns = x.spec().dim(1);
      return transposed
          ? new Matrix(x, columns, rows, 1, columns, 0)
          : new Matrix(x, rows, columns, columns, 1, 0);
    }

    static Matrix row(Operand x) {
      return new Matrix(x, 1, x.spec().dim(0), x.spec().dim(0), 1, 0);
    }

    Matrix rows(int from, int count) {
      return new Matrix(operand, count, columns, down, right, first + (long) from * down);
    }

    Matrix columns(int from, int count) {
      return new Matrix(operand, rows, count, down, right, first + (long) from * right);
    }

    Descriptor descriptor(KernelBuilder builder) {
      return builder
          .onednn()
          .strided(
              builder.handles(),
              operand.dtype(),
              new long[] {rows, columns},
              new long[] {down, right});
    }

    Argument argument(Role role, Descriptor descriptor) {
      return new Argument(role, descriptor, operand.region(), first * operand.dtype().bytes());
    }
  }
}
