package dev.halfcell.gpu;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.halfcell.backend.Backend;
import dev.halfcell.op.CellPath;
import dev.halfcell.op.linear.MatMul;
import dev.halfcell.tensor.DType;
import dev.halfcell.tensor.Elements;
import dev.halfcell.tensor.Shape;
import dev.halfcell.tensor.Tensor;
import dev.halfcell.tensor.TensorScope;
import dev.halfcell.tensor.TensorSpec;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** NVIDIA's own library beside own kernels, on the machine's own GPU. */
@Tag("gpu")
final class ProductsOnGpuTest {
  private final TensorScope scope = TensorScope.open();
  private final Random random = new Random(5);
  private GpuBackend library;
  private GpuBackend own;

  @BeforeEach
  void open() {
    library = (GpuBackend) new GpuProvider().open(1);
    own = GpuBackend.open(Optional.empty(), Optional.of(List.of()));
  }

  @AfterEach
  void close() {
    library.close();
    own.close();
    scope.close();
  }

  /** Sizes of one product, and how many of a and b there are. */
  private record Sizes(int m, int n, int k, int ofA, int ofB) {
    TensorSpec a(DType dtype, boolean transposed) {
      return matrices(dtype, ofA, transposed ? k : m, transposed ? m : k);
    }

    TensorSpec b(DType dtype, boolean transposed) {
      return matrices(dtype, ofB, transposed ? n : k, transposed ? k : n);
    }

    private static TensorSpec matrices(DType dtype, int count, int rows, int columns) {
      return new TensorSpec(
          dtype, count == 0 ? Shape.of(rows, columns) : Shape.of(count, rows, columns));
    }
  }

  private static final List<Sizes> SIZES =
      List.of(
          new Sizes(512, 768, 1024, 0, 0),
          new Sizes(129, 65, 257, 0, 0),
          new Sizes(1, 1, 3, 0, 0),
          new Sizes(7, 10, 84, 0, 0),
          new Sizes(64, 48, 80, 6, 6),
          new Sizes(33, 17, 21, 5, 5),
          new Sizes(64, 48, 80, 6, 0),
          new Sizes(33, 17, 21, 0, 5));

  private Tensor drawn(TensorSpec spec) {
    Tensor tensor = scope.allocate(spec);
    for (long i = 0; i < spec.size(); i++) {
      Elements.set(tensor.data(), spec.dtype(), i, random.nextGaussian() / 3);
    }
    return tensor;
  }

  private static double bound(DType out) {
    return switch (out) {
      case FP16 -> 1e-3;
      case BF16 -> 8e-3;
      default -> 1e-5; // with TF32 it would be 1e-3
    };
  }

  @Test
  void theLibraryComputesWhatOwnKernelsCompute() {
    List<String> far = new ArrayList<>();
    for (DType dtype : List.of(DType.FP32, DType.FP16, DType.BF16)) {
      for (Sizes sizes : SIZES) {
        for (int kind = 0; kind < 8; kind++) {
          MatMul op = new MatMul((kind & 1) != 0, (kind & 2) != 0, (kind & 4) != 0);
          double error = error(op, dtype, sizes);
          if (!(error <= bound(op.wide() ? DType.FP32 : dtype))) {
            far.add(op + " in " + dtype + " of " + sizes + ": " + error);
          }
        }
      }
    }
    System.out.println(library.facts().getLast());
    assertEquals(List.of(), far);
  }

  @Test
  void theLibraryIsFoundAndRefusesNothing() {
    computed(
        library,
        new MatMul(false, true, true),
        List.of(drawn(TensorSpec.of(DType.FP16, 7, 84)), drawn(TensorSpec.of(DType.FP16, 10, 84))));
    String fact = library.facts().getLast();
    System.out.println(fact);
    assertTrue(fact.startsWith("matrix products by cuBLASLt"), fact);
    assertFalse(fact.contains("refused"), fact);
  }

  /** The norm of the difference over the norm of what is right. */
  private double error(MatMul op, DType dtype, Sizes sizes) {
    List<Tensor> in =
        List.of(drawn(sizes.a(dtype, op.transposeA())), drawn(sizes.b(dtype, op.transposeB())));
    double[] got = computed(library, op, in);
    double[] expected = computed(own, op, in);
    double difference = 0;
    double norm = 0;
    for (int i = 0; i < expected.length; i++) {
      difference += (got[i] - expected[i]) * (got[i] - expected[i]);
      norm += expected[i] * expected[i];
    }
    return Math.sqrt(difference / norm);
  }

  private double[] computed(Backend backend, MatMul op, List<Tensor> in) {
    return backend.eager(scope).execute(op, in, CellPath.ROOT).getFirst().toArray();
  }
}
