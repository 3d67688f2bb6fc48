package dev.halfcell.gpu;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.halfcell.op.linear.MatMul;
import dev.halfcell.tensor.DType;
import dev.halfcell.tensor.Shape;
import dev.halfcell.tensor.TensorSpec;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** NVIDIA's own library beside own kernels, on the machine's own GPU. */
@Tag("gpu")
final class ProductsOnGpuTest {
  private final LibrariesBesideOwn beside = new LibrariesBesideOwn();

  @AfterEach
  void close() {
    beside.close();
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

  @Test
  void theLibraryComputesWhatOwnKernelsCompute() {
    List<String> far = new ArrayList<>();
    for (DType dtype : List.of(DType.FP32, DType.FP16, DType.BF16)) {
      for (Sizes sizes : SIZES) {
        for (int kind = 0; kind < 8; kind++) {
          MatMul op = new MatMul((kind & 1) != 0, (kind & 2) != 0, (kind & 4) != 0);
          double error =
              beside.error(
                  op,
                  beside.drawn(sizes.a(dtype, op.transposeA())),
                  beside.drawn(sizes.b(dtype, op.transposeB())));
          if (!(error <= LibrariesBesideOwn.bound(op.wide() ? DType.FP32 : dtype))) {
            far.add(op + " in " + dtype + " of " + sizes + ": " + error);
          }
        }
      }
    }
    System.out.println(beside.fact("matrix products by"));
    assertEquals(List.of(), far);
  }

  @Test
  void theLibraryIsFoundAndRefusesNothing() {
    double[] _ =
        beside.computed(
            new MatMul(false, true, true),
            beside.drawn(TensorSpec.of(DType.FP16, 7, 84)),
            beside.drawn(TensorSpec.of(DType.FP16, 10, 84)));
    String fact = beside.fact("matrix products by");
    System.out.println(fact);
    assertTrue(fact.startsWith("matrix products by cuBLASLt"), fact);
    assertFalse(fact.contains("refused"), fact);
  }
}
