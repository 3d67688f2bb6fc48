package dev.halfcell.gpu;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.halfcell.backend.Backend;
import dev.halfcell.op.CellPath;
import dev.halfcell.op.Op;
import dev.halfcell.op.convolution.Conv2d;
import dev.halfcell.op.convolution.Conv2dGeometry;
import dev.halfcell.op.convolution.Conv2dInputGradient;
import dev.halfcell.op.convolution.Conv2dWeightGradient;
import dev.halfcell.tensor.DType;
import dev.halfcell.tensor.Shape;
import dev.halfcell.tensor.Tensor;
import dev.halfcell.tensor.TensorScope;
import dev.halfcell.tensor.TensorSpec;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** NVIDIA's own cuDNN beside own kernels, on the machine's own GPU. */
@Tag("gpu")
final class ConvolutionsOnGpuTest {
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

  /** A layer of a residual network. */
  private record Layer(Shape image, Shape weight, Conv2dGeometry geometry) {
    Shape windows() {
      return Shape.of(
          image.dim(0),
          weight.dim(0),
          geometry.outputHeight(image.dim(2), weight.dim(2)),
          geometry.outputWidth(image.dim(3), weight.dim(3)));
    }
  }

  private static final List<Layer> LAYERS =
      List.of(
          new Layer(Shape.of(8, 3, 32, 32), Shape.of(16, 3, 3, 3), Conv2dGeometry.square(1, 1)),
          new Layer(Shape.of(8, 16, 32, 32), Shape.of(32, 16, 3, 3), Conv2dGeometry.square(2, 1)),
          new Layer(Shape.of(2, 3, 64, 64), Shape.of(64, 3, 7, 7), Conv2dGeometry.square(2, 3)),
          new Layer(Shape.of(4, 64, 14, 14), Shape.of(256, 64, 1, 1), Conv2dGeometry.VALID));

  @Test
  void theLibraryComputesWhatOwnKernelsCompute() {
    List<String> far = new ArrayList<>();
    for (DType dtype : List.of(DType.FP32, DType.FP16, DType.BF16)) {
      for (Layer layer : LAYERS) {
        Tensor x = drawn(new TensorSpec(dtype, layer.image));
        Tensor weight = drawn(new TensorSpec(dtype, layer.weight));
        Tensor d = drawn(new TensorSpec(dtype, layer.windows()));
        compare(far, new Conv2d(layer.geometry), bound(dtype), x, weight);
        compare(far, new Conv2dInputGradient(layer.geometry, layer.image), bound(dtype), d, weight);
        compare(far, new Conv2dWeightGradient(layer.geometry, layer.weight, true), 1e-4, d, x);
      }
    }
    String fact = library.facts().get(library.facts().size() - 2);
    System.out.println(fact);
    assertTrue(fact.startsWith("convolutions by cuDNN"), fact);
    assertFalse(fact.contains("refused"), fact);
    assertEquals(List.of(), far);
  }

  private static double bound(DType dtype) {
    return switch (dtype) {
      case FP16 -> 1e-3;
      case BF16 -> 8e-3;
      default -> 1e-5; // with TF32 it would be 1e-3
    };
  }

  /** Notes where the norm of the difference is beyond a share of the norm of what is right. */
  private void compare(List<String> far, Op op, double bound, Tensor... in) {
    double[] expected = computed(own, op, in);
    double[] got = computed(library, op, in);
    double difference = 0;
    double norm = 0;
    for (int i = 0; i < expected.length; i++) {
      difference += (got[i] - expected[i]) * (got[i] - expected[i]);
      norm += expected[i] * expected[i];
    }
    double error = Math.sqrt(difference / norm);
    if (!(error <= bound)) {
      far.add(op.label() + " of " + Tensor.specs(List.of(in)) + ": " + error);
    }
    if (!Arrays.equals(got, computed(library, op, in))) {
      far.add(op.label() + " of " + Tensor.specs(List.of(in)) + ": other bits again");
    }
  }

  private double[] computed(Backend backend, Op op, Tensor... in) {
    return backend.eager(scope).execute(op, List.of(in), CellPath.ROOT).getFirst().toArray();
  }

  private Tensor drawn(TensorSpec spec) {
    double[] values = new double[Math.toIntExact(spec.size())];
    Arrays.setAll(values, _ -> random.nextGaussian() / 3);
    return Tensor.of(scope, spec, values);
  }
}
