package dev.halfcell.cpu.kernel;

import dev.halfcell.cpu.onednn.Primitive;
import dev.halfcell.op.linear.Dense;
import dev.halfcell.op.linear.Linear;
import dev.halfcell.op.linear.MatMul;
import dev.halfcell.tensor.DType;
import dev.halfcell.tensor.Shape;
import java.util.List;
import java.util.Optional;

/**
 * Matrix products by oneDNN, shared out by matrices where there are enough, else along the rows or
 * the columns of the result, whichever are more; never along the sum, so that nothing has to be
 * added up afterwards.
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
   * c = a · b as one primitive for each part of the rows, which the caller runs many times. The
   * products are computed in the dtype of a, which has to be one that is computed here; c is FP32.
   */
  static Primitive[] byRows(
      KernelBuilder builder, Operand a, Operand b, boolean transposeB, Operand c, Split rows) {
    Operand right = builder.in(b, a.dtype(), Layout.ROW_MAJOR);
    MatrixProduct product =
        MatrixProduct.of(
            Matrices.of(a, 2), Matrices.of(right, 2).transposed(transposeB), Matrices.of(c, 2));
    Weights weights = new Weights(builder, product.b());
    Primitive[] parts = new Primitive[rows.parts()];
    for (int part = 0; part < parts.length; part++) {
      parts[part] = product.part(0, rows.from(part), rows.size(part)).primitive(builder, weights);
    }
    weights.stage();
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
    MatrixProduct product =
        new MatrixProduct(
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

  private static void shareOut(KernelBuilder builder, MatrixProduct product) {
    List<MatrixProduct> products = product.flat();
    Matrices c = products.getFirst().c();
    int axis = products.getFirst().shared(builder.threads());
    int unit = axis == c.rank() - 1 ? UNIT : 1;
    Split split = Split.of(c.size(axis), unit, builder.threads());
    Primitive[][] parts = new Primitive[split.parts()][products.size()];
    for (int part = 0; part < parts.length; part++) {
      for (int i = 0; i < products.size(); i++) {
        MatrixProduct some = products.get(i).part(axis, split.from(part), split.size(part));
        parts[part][i] = some.primitive(builder);
      }
    }
    builder.stage(
        parts.length,
        part -> {
          for (Primitive primitive : parts[part]) {
            primitive.run();
          }
        });
  }
}
