package dev.halfcell.gpu.kernel;

import dev.halfcell.gpu.library.LibraryTask;
import dev.halfcell.gpu.library.Multiplication;
import dev.halfcell.gpu.library.Multiplication.Operand;
import dev.halfcell.op.CellPath;
import dev.halfcell.op.linear.Dense;
import dev.halfcell.op.linear.Linear;
import dev.halfcell.op.linear.MatMul;
import dev.halfcell.plan.Work;
import dev.halfcell.tensor.DType;
import dev.halfcell.tensor.Shape;
import dev.halfcell.tensor.TensorSpec;
import java.util.List;
import java.util.Optional;

/** Products of matrices: by NVIDIA's library, or by own kernels where that does not. */
final class MatrixKernels {
  private static final int BIAS = 2;

  private MatrixKernels() {}

  static Recipe of(Code code, Linear op, List<TensorSpec> in, List<TensorSpec> out, CellPath at) {
    Kernels.requireComputed(op, in.getFirst().dtype(), at);
    return switch (op) {
      case MatMul product -> product(code, product, in, out.getFirst(), at);
      case Dense dense -> dense(code, dense, false, in, out.getFirst(), at);
    };
  }

  /**
   * A product as own kernels are told of it.
   *
   * @throws dev.halfcell.tensor.UsageException where they cannot be
   */
  static OwnProduct own(Linear op, List<TensorSpec> in, TensorSpec out, CellPath at) {
    Optional<OwnProduct> own =
        switch (op) {
          case MatMul product -> own(product, in, out);
          case Dense _ ->
              Optional.of(
                  OwnProduct.of(multiplication(in.getFirst().dtype(), out.dtype(), size(in, out))));
        };
    return own.filter(OwnProduct::fits)
        .orElseThrow(() -> Kernels.refusal(op.label(), in.get(0) + " and " + in.get(1), at));
  }

  private static Optional<OwnProduct> own(MatMul op, List<TensorSpec> in, TensorSpec out) {
    Multiplication of = multiplication(op, in, out);
    return simple(in, out)
        ? Optional.of(OwnProduct.of(of.folded()))
        : OwnProduct.broadcast(of, leading(in.get(0)), leading(in.get(1)), leading(out));
  }

  /** Whether each operand has one matrix for all products, or one for each. */
  private static boolean simple(List<TensorSpec> in, TensorSpec out) {
    return in.stream()
        .map(MatrixKernels::leading)
        .allMatch(each -> each.size() == 1 || each.equals(leading(out)));
  }

  private static Multiplication multiplication(MatMul op, List<TensorSpec> in, TensorSpec out) {
    TensorSpec a = in.get(0);
    TensorSpec b = in.get(1);
    long matrices = leading(out).size();
    return new Multiplication(
        a.dtype(),
        out.dtype(),
        new Multiplication.Size(
            fromLast(out, 2), fromLast(out, 1), fromLast(a, op.transposeA() ? 2 : 1)),
        Math.toIntExact(matrices),
        new Operand(op.transposeA(), leading(a).size() < matrices),
        new Operand(op.transposeB(), leading(b).size() < matrices));
  }

  /** The work {@link Work.DenseRelu}. */
  static Recipe denseRelu(Code code, List<TensorSpec> in, TensorSpec out, CellPath at) {
    Dense op = new Dense();
    Kernels.requireComputed(op, in.getFirst().dtype(), at);
    return dense(code, op, true, in, out, at);
  }

  private static Recipe product(
      Code code, MatMul op, List<TensorSpec> in, TensorSpec out, CellPath at) {
    OwnProduct own = own(op, in, out, at);
    Optional<LibraryTask> library =
        simple(in, out)
            ? code.products().task(multiplication(op, in, out).folded())
            : Optional.empty();
    return library
        .map(task -> LibraryLaunch.recipe(code.products().name(), task, whole(code, own)))
        .orElseGet(() -> own.recipe(code.kernels(), Optional.empty()));
  }

  private static Shape leading(TensorSpec spec) {
    return spec.shape().head(spec.rank() - 2);
  }

  private static int fromLast(TensorSpec spec, int axis) {
    return spec.dim(spec.rank() - axis);
  }

  /** y = x · weightᵀ + bias, all rows of x at once. */
  private static Recipe dense(
      Code code, Dense op, boolean relu, List<TensorSpec> in, TensorSpec out, CellPath at) {
    OwnProduct own = own(op, in, out, at).ending(in.size() > BIAS, relu);
    Optional<Integer> bias = in.size() > BIAS ? Optional.of(BIAS) : Optional.empty();
    return code.products()
        .task(own.of())
        .map(task -> LibraryLaunch.recipe(code.products().name(), task, whole(code, own)))
        .orElseGet(() -> own.recipe(code.kernels(), bias));
  }

  private static Multiplication.Size size(List<TensorSpec> in, TensorSpec out) {
    int features = fromLast(in.getFirst(), 1);
    long rows = in.getFirst().size() / features;
    return new Multiplication.Size(Math.toIntExact(rows), fromLast(out, 1), features);
  }

  private static Multiplication multiplication(DType in, DType out, Multiplication.Size size) {
    return new Multiplication(
        in, out, size, 1, new Operand(false, false), new Operand(true, false));
  }

  /** In one launch, which needs no memory of its own. */
  private static Recipe whole(Code code, OwnProduct own) {
    return Recipe.of(
        place ->
            List.of(
                own.whole(
                    code.kernels(),
                    new OwnProduct.Place(
                        place.in(0).memory(),
                        place.in(1).memory(),
                        place.in().size() > BIAS ? place.in(BIAS).argument() : KernelLaunch.NONE,
                        place.out(0).memory()))));
  }
}
