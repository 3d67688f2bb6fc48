package dev.halfcell.gpu;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.halfcell.op.Op;
import dev.halfcell.op.convolution.Conv2d;
import dev.halfcell.op.convolution.Conv2dGeometry;
import dev.halfcell.op.convolution.Conv2dInputGradient;
import dev.halfcell.op.convolution.Conv2dWeightGradient;
import dev.halfcell.tensor.DType;
import dev.halfcell.tensor.Shape;
import dev.halfcell.tensor.Tensor;
import dev.halfcell.tensor.TensorSpec;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** NVIDIA's own cuDNN beside own kernels, on the machine's own GPU. */
@Tag("gpu")
final class ConvolutionsOnGpuTest {
  private final LibrariesBesideOwn beside = new LibrariesBesideOwn();

  @AfterEach
  void close() {
    beside.close();
  }

  /** Layers of residual networks. */
  private static final List<ConvolutionLayer> LAYERS =
      List.of(
          new ConvolutionLayer(
              Shape.of(8, 3, 32, 32), Shape.of(16, 3, 3, 3), Conv2dGeometry.square(1, 1)),
          new ConvolutionLayer(
              Shape.of(8, 16, 32, 32), Shape.of(32, 16, 3, 3), Conv2dGeometry.square(2, 1)),
          new ConvolutionLayer(
              Shape.of(2, 3, 64, 64), Shape.of(64, 3, 7, 7), Conv2dGeometry.square(2, 3)),
          new ConvolutionLayer(
              Shape.of(4, 64, 14, 14), Shape.of(256, 64, 1, 1), Conv2dGeometry.VALID));

  @Test
  void theLibraryComputesWhatOwnKernelsCompute() {
    List<String> far = new ArrayList<>();
    for (DType dtype : List.of(DType.FP32, DType.FP16, DType.BF16)) {
      for (ConvolutionLayer layer : LAYERS) {
        Tensor x = beside.drawn(new TensorSpec(dtype, layer.image()));
        Tensor weight = beside.drawn(new TensorSpec(dtype, layer.weight()));
        Tensor d = beside.drawn(new TensorSpec(dtype, layer.windows()));
        double bound = LibrariesBesideOwn.bound(dtype);
        compare(far, new Conv2d(layer.geometry()), bound, x, weight);
        compare(far, new Conv2dInputGradient(layer.geometry(), layer.image()), bound, d, weight);
        compare(far, new Conv2dWeightGradient(layer.geometry(), layer.weight(), true), 1e-4, d, x);
      }
    }
    String fact = beside.fact("convolutions by");
    System.out.println(fact);
    assertTrue(fact.startsWith("convolutions by cuDNN"), fact);
    assertFalse(fact.contains("refused"), fact);
    assertEquals(List.of(), far);
  }

  private void compare(List<String> far, Op op, double bound, Tensor... in) {
    double error = beside.error(op, in);
    String what = op.label() + " of " + Tensor.specs(List.of(in));
    if (!(error <= bound)) {
      far.add(what + ": " + error);
    }
    if (!Arrays.equals(beside.computed(op, in), beside.computed(op, in))) {
      far.add(what + ": other bits again");
    }
  }
}
