package dev.halfcell.gpu;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.halfcell.gpu.driver.EmulatedGpu;
import dev.halfcell.gpu.driver.EmulatedLibrary;
import dev.halfcell.op.Op;
import dev.halfcell.op.Padding2d;
import dev.halfcell.op.convolution.Conv2d;
import dev.halfcell.op.convolution.Conv2dGeometry;
import dev.halfcell.op.convolution.Conv2dInputGradient;
import dev.halfcell.op.convolution.Conv2dTranspose;
import dev.halfcell.op.convolution.Conv2dWeightGradient;
import dev.halfcell.tensor.DType;
import dev.halfcell.tensor.Shape;
import dev.halfcell.tensor.Tensor;
import dev.halfcell.tensor.TensorSpec;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Convolutions by an emulated cuDNN: sums of small whole numbers, which each order makes alike. */
@Tag("rig")
final class GpuConvolutionLibraryTest {
  private static final String MULTIPLY = "cublasLtMatmul";
  private static final String EXECUTE = "cudnnBackendExecute";
  private static final int EXECUTION_FAILED = 5000;
  private static final int NOT_SUPPORTED = 3000;
  private static final Conv2dGeometry GEOMETRY =
      new Conv2dGeometry(2, 1, new Padding2d(1, 2, 0, 3), 1, 2, 2);
  private static final Conv2dGeometry EVEN =
      new Conv2dGeometry(2, 1, new Padding2d(1, 1, 2, 2), 1, 2, 2);
  private static final Shape IMAGE = Shape.of(2, 6, 7, 8);
  private static final Shape WEIGHT = Shape.of(4, 3, 3, 2);
  private static final Shape WINDOWS = Shape.of(2, 4, 4, 9);
  private static final Shape EVEN_WINDOWS = Shape.of(2, 4, 4, 10);

  private final EmulatedGpu rig = EmulatedGpu.build();
  private final EmulatedLibrary library = EmulatedLibrary.cudnn();
  private final EmulatedLibrary products = EmulatedLibrary.cublasLt();
  private final Random random = new Random(3);
  private GpuBackend gpu;
  private BesideReference beside;

  @BeforeEach
  void open() {
    rig.recover();
    library.complaint();
    products.complaint();
    gpu =
        GpuBackend.open(
            Optional.of(rig.library()), Optional.of(List.of(library.folder(), products.folder())));
    beside = new BesideReference(gpu);
  }

  @AfterEach
  void close() {
    assertEquals("", library.complaint() + products.complaint());
    beside.close();
    assertEquals(0, rig.allocations(), "device memory that was not given back");
    assertEquals(0, library.objects(), "handles and descriptors that were not given back");
  }

  @ParameterizedTest
  @EnumSource(
      value = DType.class,
      names = {"FP32", "FP16", "BF16"})
  void allPassesAreThoseOfTheReference(DType dtype) {
    compare(1, new Conv2d(GEOMETRY), dtype, IMAGE, WEIGHT);
    compare(1, new Conv2dInputGradient(GEOMETRY, IMAGE), dtype, WINDOWS, WEIGHT);
    compare(1, new Conv2dTranspose(GEOMETRY, 1, 0), dtype, WINDOWS, WEIGHT);
    compare(1, new Conv2dWeightGradient(EVEN, WEIGHT, true), dtype, EVEN_WINDOWS, IMAGE);
    compare(1, new Conv2dWeightGradient(EVEN, WEIGHT, false), dtype, EVEN_WINDOWS, IMAGE);
  }

  /** More channels and places than a tile has that turns them over, in groups and without. */
  @Test
  void gradientsByTheWeightOfManyChannelsAreThoseOfTheReference() {
    Conv2dGeometry square = Conv2dGeometry.square(1, 1);
    Shape windows = Shape.of(2, 66, 9, 11);
    for (DType dtype : List.of(DType.FP16, DType.BF16)) {
      Op gradient = new Conv2dWeightGradient(square, Shape.of(66, 70, 3, 3), true);
      compare(1, gradient, dtype, windows, Shape.of(2, 70, 9, 11));
      Conv2dGeometry groups = new Conv2dGeometry(1, 1, Padding2d.NONE, 1, 1, 2);
      Op inGroups = new Conv2dWeightGradient(groups, Shape.of(66, 70, 1, 1), true);
      compare(1, inGroups, dtype, windows, Shape.of(2, 140, 9, 11));
    }
  }

  /** Of a kernel of 1 x 1 whose windows are the image's places. */
  @Test
  void aGradientByTheWeightOfOnePlaceIsAProduct() {
    Conv2dGeometry all = Conv2dGeometry.VALID;
    Conv2dGeometry strided = new Conv2dGeometry(2, 2, new Padding2d(1, 1, 1, 1), 1, 1, 1);
    Shape image = Shape.of(2, 70, 9, 11);
    for (DType dtype : List.of(DType.FP16, DType.BF16)) {
      long multiplied = products.calls(MULTIPLY);
      Op gradient = new Conv2dWeightGradient(all, Shape.of(66, 70, 1, 1), true);
      compare(0, gradient, dtype, Shape.of(2, 66, 9, 11), image);
      assertEquals(1, products.calls(MULTIPLY) - multiplied);
      Op other = new Conv2dWeightGradient(strided, Shape.of(66, 70, 1, 1), true);
      compare(1, other, dtype, Shape.of(2, 66, 6, 7), image);
      assertEquals(1, products.calls(MULTIPLY) - multiplied);
    }
  }

  @Test
  void aBiasIsAddedByOwnKernels() {
    compare(0, new Conv2d(GEOMETRY), DType.FP16, IMAGE, WEIGHT, Shape.of(4));
  }

  @Test
  void whatIsRefusedIsComputedByOwnKernels() {
    library.fail("cudnnBackendFinalize", NOT_SUPPORTED, 4);
    compare(0, new Conv2d(GEOMETRY), DType.BF16, IMAGE, WEIGHT);
    assertTrue(
        gpu.notices().getFirst().contains("cuDNN refused a convolution"), "" + gpu.notices());
  }

  @Test
  void whatIsRefusedLateIsSaidBehindWhatWasSaidBefore() {
    Optional<List<Path>> alone = Optional.of(List.of(library.folder()));
    try (GpuBackend without = GpuBackend.open(Optional.of(rig.library()), alone)) {
      List<String> before = without.notices();
      assertTrue(before.getLast().startsWith("matrix products by own"), before::toString);
      library.fail("cudnnBackendFinalize", NOT_SUPPORTED, 4);
      List<TensorSpec> in =
          List.of(new TensorSpec(DType.FP32, IMAGE), new TensorSpec(DType.FP32, WEIGHT));
      assertTrue(without.offers(new Conv2d(GEOMETRY), in));
      List<String> after = without.notices();
      assertEquals(before, after.subList(0, before.size()));
      assertTrue(after.getLast().contains("cuDNN refused a convolution"), after::toString);
    }
  }

  /** cuDNN adds up wrong numbers there. */
  @Test
  void aGradientByTheWeightWithUnevenPaddingIsComputedByOwnKernels() {
    compare(0, new Conv2dWeightGradient(GEOMETRY, WEIGHT, true), DType.FP32, WINDOWS, IMAGE);
    assertTrue(
        gpu.notices().getFirst().contains("as much padding on one side"), "" + gpu.notices());
  }

  @Test
  void whatFailsIsComputedByOwnKernelsFromThenOn() {
    library.fail(EXECUTE, EXECUTION_FAILED, 0);
    compare(1, new Conv2dWeightGradient(EVEN, WEIGHT, true), DType.FP16, EVEN_WINDOWS, IMAGE);
    compare(0, new Conv2dWeightGradient(EVEN, WEIGHT, true), DType.FP16, EVEN_WINDOWS, IMAGE);
    String said = gpu.notices().getFirst();
    assertTrue(said.contains("CUDNN_STATUS_EXECUTION_FAILED"), said);
  }

  /**
   * Runs an op on both.
   *
   * @param calls how often the library is to be asked to compute
   */
  private void compare(int calls, Op op, DType dtype, Shape... in) {
    Tensor[] tensors =
        Arrays.stream(in).map(shape -> whole(new TensorSpec(dtype, shape))).toArray(Tensor[]::new);
    double[] right = beside.right(op, tensors).getFirst().toArray();
    long before = library.calls(EXECUTE);
    double[] got = beside.got(op, tensors).getFirst().toArray();
    assertEquals(calls, library.calls(EXECUTE) - before, op.label());
    assertArrayEquals(right, got, op.label() + " of " + Tensor.specs(List.of(tensors)));
  }

  private Tensor whole(TensorSpec spec) {
    double[] values = new double[Math.toIntExact(spec.size())];
    Arrays.setAll(values, _ -> random.nextInt(-1, 2));
    return Tensor.of(beside.scope(), spec, values);
  }
}
