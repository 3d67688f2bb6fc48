package dev.halfcell.gpu;

import dev.halfcell.backend.Backend;
import dev.halfcell.nn.TransformerConfig;
import dev.halfcell.tensor.DType;
import dev.halfcell.tensor.TensorSpec;
import dev.halfcell.testkit.NetworkContract.Subject;
import dev.halfcell.testkit.NetworkStepContract;
import dev.halfcell.zoo.LeNet5;
import dev.halfcell.zoo.SmallImageResNet;
import dev.halfcell.zoo.VisionTransformer;
import java.util.List;
import org.junit.jupiter.api.Tag;

/** LeNet-5, a residual network and a transformer. */
@Tag("either")
final class GpuNetworkStepContractTest extends NetworkStepContract {
  private static final int CLASSES = 10;

  @Override
  protected List<Subject> subjects() {
    SmallImageResNet.Config residual = new SmallImageResNet.Config(8, 1, CLASSES);
    VisionTransformer.Config transformer =
        new VisionTransformer.Config(1, 16, 4, 2, CLASSES, new TransformerConfig(32, 4, 64));
    return List.of(
        new Subject("lenet5", LeNet5::new, 0, TensorSpec.of(DType.FP32, 1, 32, 32)),
        new Subject(
            "resnet8",
            () -> new SmallImageResNet(residual),
            0,
            TensorSpec.of(DType.FP32, 1, 16, 16)),
        new Subject(
            "vit",
            () -> new VisionTransformer(transformer),
            0,
            TensorSpec.of(DType.FP32, 1, 16, 16)));
  }

  @Override
  protected Backend open() {
    return TestedGpu.open();
  }
}
