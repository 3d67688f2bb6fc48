package dev.halfcell.plan;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.halfcell.op.convolution.Conv2dGeometry;
import dev.halfcell.op.convolution.Conv2dInputGradient;
import dev.halfcell.op.convolution.Conv2dWeightGradient;
import dev.halfcell.op.elementwise.ReluGradient;
import dev.halfcell.op.elementwise.Sigmoid;
import dev.halfcell.tensor.DType;
import dev.halfcell.tensor.Shape;
import dev.halfcell.tensor.Tensor;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

final class WidenGradientsTest {
  private static final Conv2dGeometry GEOMETRY = Conv2dGeometry.square(1, 1);
  private static final Shape WEIGHT = Shape.of(3, 3, 3, 3);

  private final Sketch sketch = new Sketch();
  private final Tensor x = sketch.input(DType.FP16, 2, 3, 4, 4);
  private final Tensor weight = sketch.input(DType.FP16, 3, 3, 3, 3);
  private final Tensor y = sketch.ops.relu(sketch.ops.conv2d(GEOMETRY, x, weight));
  private final Tensor loss = sketch.ops.sum(sketch.ops.cast(y, DType.FP32), true, 0, 1, 2, 3);
  private final Tensor d = sketch.input(DType.FP16, 2, 3, 4, 4);
  private final Tensor masked = sketch.ops.run(new ReluGradient(), d, y);

  @AfterEach
  void close() {
    sketch.close();
  }

  /** The dtypes that the tasks of the backward pass yield. */
  private List<DType> backward(Tensor last, DType stored) {
    Program program = sketch.results(loss, last);
    Program wide = new WidenGradients(Set.of(stored)).apply(program);
    int begin = ActivationBytes.loss(program) + 1;
    return wide.tasks().subList(begin, wide.tasks().size()).stream()
        .map(task -> wide.spec(task.out(0)).dtype())
        .toList();
  }

  private Tensor byWeight(Tensor d) {
    return sketch.ops.run(new Conv2dWeightGradient(GEOMETRY, WEIGHT, true), d, x);
  }

  @Test
  void aGradientThatOnlyConvolutionsReadStaysWide() {
    Tensor dx = sketch.ops.run(new Conv2dInputGradient(GEOMETRY, x.shape()), masked, weight);
    assertEquals(
        List.of(DType.FP32, DType.FP32, DType.FP32, DType.FP32),
        backward(byWeight(sketch.ops.add(masked, dx)), DType.FP16));
  }

  @Test
  void whatIsComputedInHalfStaysHalf() {
    assertEquals(List.of(DType.FP16, DType.FP32), backward(byWeight(masked), DType.BF16));
    assertEquals(List.of(DType.FP32, DType.FP32), backward(byWeight(masked), DType.FP16));
  }

  @Test
  void aGradientThatIsAResultStaysHalf() {
    assertEquals(List.of(DType.FP16), backward(masked, DType.FP16));
  }

  @Test
  void aGradientThatAnotherKindOfOpReadsStaysHalf() {
    Tensor curved = sketch.ops.run(new Sigmoid(), masked);
    assertEquals(List.of(DType.FP16, DType.FP16), backward(curved, DType.FP16));
  }

  @Test
  void whatIsReadAsDataStaysHalf() {
    Tensor asData = sketch.ops.run(new Conv2dWeightGradient(GEOMETRY, WEIGHT, true), d, masked);
    assertEquals(List.of(DType.FP16, DType.FP32), backward(asData, DType.FP16));
  }

  @Test
  void whatTheForwardPassKeepsStaysHalf() {
    Program program = sketch.results(loss, byWeight(masked));
    Program wide = new WidenGradients(Set.of(DType.FP16)).apply(program);
    Task relu = wide.tasks().get(1);
    assertEquals(DType.FP16, wide.spec(relu.out(0)).dtype());
  }
}
