package dev.halfcell.gpu;

import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.halfcell.backend.Backend;
import dev.halfcell.backend.ReferenceBackend;
import dev.halfcell.op.CellPath;
import dev.halfcell.op.Op;
import dev.halfcell.op.Ops;
import dev.halfcell.op.linear.Dense;
import dev.halfcell.op.linear.MatMul;
import dev.halfcell.tensor.DType;
import dev.halfcell.tensor.Shape;
import dev.halfcell.tensor.Tensor;
import dev.halfcell.tensor.TensorScope;
import dev.halfcell.tensor.TensorSpec;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Products larger than a tile, of small whole numbers: every order of summation gives the same, so
 * the bits are those of the reference.
 */
abstract class LargeProductsContract {
  /**
   * Beyond one tile and less than two, large tiles whose lines lie on boundaries, an inner axis in
   * parts, many matrices, one element.
   */
  private static final List<List<Integer>> SIZES =
      List.of(
          List.of(1, 70, 67, 45),
          List.of(1, 264, 264, 72),
          List.of(1, 40, 33, 1100),
          List.of(1, 260, 259, 33),
          List.of(3, 65, 8, 130),
          List.of(2, 1, 1, 1));

  /** Opens the GPU that multiplies. */
  abstract Backend open();

  record Product(List<Integer> size, DType dtype, boolean transposeA, boolean transposeB) {
    MatMul op(boolean wide) {
      return new MatMul(transposeA, transposeB, wide);
    }

    List<Shape> shapes() {
      int batch = size.get(0);
      int m = size.get(1);
      int n = size.get(2);
      int k = size.get(3);
      return List.of(
          transposeA ? Shape.of(batch, k, m) : Shape.of(batch, m, k),
          transposeB ? Shape.of(batch, n, k) : Shape.of(batch, k, n));
    }
  }

  static Stream<Product> products() {
    return SIZES.stream()
        .flatMap(
            size ->
                Stream.of(DType.FP32, DType.FP16, DType.BF16)
                    .flatMap(
                        dtype ->
                            Stream.of(
                                new Product(size, dtype, false, false),
                                new Product(size, dtype, false, true),
                                new Product(size, dtype, true, false),
                                new Product(size, dtype, true, true))));
  }

  @ParameterizedTest
  @MethodSource("products")
  final void areThoseOfTheReference(Product product) {
    try (TensorScope scope = TensorScope.guarded();
        Backend gpu = open();
        Backend reference = new ReferenceBackend()) {
      Random random = new Random(7);
      List<Tensor> in =
          product.shapes().stream()
              .map(shape -> whole(scope, new TensorSpec(product.dtype(), shape), random))
              .toList();
      for (boolean wide : List.of(false, true)) {
        Tensor want = compute(reference, scope, product.op(wide), in);
        Tensor got = compute(gpu, scope, product.op(wide), in);
        assertTrue(want.sameBits(got), () -> product + (wide ? " to fp32" : ""));
      }
      if (product.transposeB() && !product.transposeA() && product.size().getFirst() == 1) {
        requireThatOfADenseLayer(gpu, reference, scope, in);
      }
    }
  }

  /** The same product with a bias, x being one matrix. */
  private static void requireThatOfADenseLayer(
      Backend gpu, Backend reference, TensorScope scope, List<Tensor> in) {
    Ops ops = new Ops(reference.eager(scope), CellPath.ROOT);
    Tensor weight = ops.reshape(in.get(1), in.get(1).shape().tail());
    TensorSpec spec = new TensorSpec(weight.dtype(), Shape.of(weight.spec().dim(0)));
    List<Tensor> layer = List.of(in.get(0), weight, whole(scope, spec, new Random(8)));
    Tensor want = compute(reference, scope, new Dense(), layer);
    assertTrue(want.sameBits(compute(gpu, scope, new Dense(), layer)), () -> "dense of " + in);
  }

  private static Tensor whole(TensorScope scope, TensorSpec spec, Random random) {
    double[] values = random.ints(spec.size(), -2, 3).asDoubleStream().toArray();
    return Tensor.of(scope, spec, values);
  }

  private static Tensor compute(Backend on, TensorScope scope, Op op, List<Tensor> in) {
    return on.eager(scope).execute(op, in, CellPath.ROOT).getFirst();
  }
}
