package dev.halfcell.zoo;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.halfcell.backend.TracingExecutor;
import dev.halfcell.nn.Cell;
import dev.halfcell.nn.Parameter;
import dev.halfcell.nn.Recording;
import dev.halfcell.tensor.DType;
import dev.halfcell.tensor.Shape;
import dev.halfcell.tensor.Tensor;
import dev.halfcell.tensor.TensorSpec;
import dev.halfcell.train.TrainState;
import java.util.List;
import org.junit.jupiter.api.Test;

class LeNet5Test {
  private final Cell net = new LeNet5();

  private List<Parameter> parameters() {
    return net.paths().keySet().stream().flatMap(cell -> cell.parameters().stream()).toList();
  }

  @Test
  void declaresItsParametersInTheOrderInWhichTheyAreUsed() {
    assertEquals(
        List.of(
            Shape.of(6, 1, 5, 5),
            Shape.of(6),
            Shape.of(16, 6, 5, 5),
            Shape.of(16),
            Shape.of(120, 400),
            Shape.of(120),
            Shape.of(84, 120),
            Shape.of(84),
            Shape.of(10, 84),
            Shape.of(10)),
        parameters().stream().map(parameter -> parameter.spec().shape()).toList());
    assertEquals(61_706, parameters().stream().mapToLong(p -> p.spec().size()).sum());
  }

  @Test
  void makesTenLogitsOfEachImage() {
    try (TrainState state = TrainState.of(net, 1)) {
      TracingExecutor tracing = new TracingExecutor(state);
      Tensor images = tracing.input(Networks.named("lenet5").sample().as(Shape.of(3, 1, 32, 32)));
      Tensor samples = tracing.input(TensorSpec.of(DType.INT64, 3));
      Tensor logits = new Recording(tracing, tracing, net, samples, true).call(net, images);
      assertEquals(TensorSpec.of(DType.FP32, 3, 10), logits.spec());
    }
  }
}
