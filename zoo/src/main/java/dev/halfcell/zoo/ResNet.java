package dev.halfcell.zoo;

import dev.halfcell.nn.Cell;
import dev.halfcell.nn.Dense;
import dev.halfcell.nn.Forward;
import dev.halfcell.nn.GlobalAvgPool2d;
import dev.halfcell.nn.MaxPool2d;
import dev.halfcell.nn.ReLU;
import dev.halfcell.nn.Sequential;
import dev.halfcell.op.pooling.Window2d;
import dev.halfcell.tensor.ArgumentException;
import dev.halfcell.tensor.DType;
import dev.halfcell.tensor.Tensor;
import dev.halfcell.tensor.TensorSpec;
import dev.halfcell.zoo.data.FashionMnist;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * ResNet for large images: a convolution of 7 x 7 and a max pooling of 3 x 3, both with stride 2,
 * then four stages of residual blocks with 64, 128, 256 and 512 channels (four times as many behind
 * bottlenecks), the mean of each channel, and a fully connected layer. Version 1.5: the convolution
 * of 3 x 3 of a bottleneck strides.
 *
 * <p>Shapes: x [N, 3, H, W] with H and W of at least 32, y [N, classes], logits. Parameters with
 * 1,000 classes: 11,689,512 (18), 21,797,672 (34), 25,557,032 (50), as torchvision documents for
 * resnet18, resnet34 and resnet50.
 *
 * <p>Source: He et al., "Deep Residual Learning for Image Recognition", CVPR 2016, table 1; NVIDIA,
 * "ResNet50 v1.5 for PyTorch", for the place of the stride.
 */
public final class ResNet extends Cell {
  private static final int WIDTH = 64;

  /**
   * What can be chosen.
   *
   * @param blocks of each of the four stages
   * @param bottleneck whether blocks are bottlenecks, else basic ones
   * @param classes that are told apart
   */
  public record Config(List<Integer> blocks, boolean bottleneck, int classes) {
    public Config {
      blocks = List.copyOf(blocks);
      ArgumentException.require(
          blocks.size() == 4 && blocks.stream().allMatch(n -> n >= 1),
          "ResNet blocks",
          "four numbers of at least 1",
          blocks);
      ArgumentException.require(classes >= 1, "ResNet", "at least 1 class", classes);
    }

    private ResidualBlock block(int input, int channels, int stride) {
      return bottleneck
          ? ResidualBlock.bottleneck(input, channels, stride)
          : ResidualBlock.basic(input, channels, stride);
    }

    private int output(int channels) {
      return bottleneck ? ResidualBlock.bottleneckOutput(channels) : channels;
    }
  }

  /** A network whose values a state holds. */
  public ResNet(Config config) {
    Map<String, Cell> stem = new LinkedHashMap<>();
    ResidualBlock.convolution(stem, 1, 3, WIDTH, 7, 2);
    stem.forEach(this::child);
    child("relu", new ReLU());
    child("maxpool", new MaxPool2d(Window2d.square(3, 2, 1)));
    int input = WIDTH;
    for (int stage = 0; stage < config.blocks().size(); stage++) {
      int channels = WIDTH << stage;
      child("stage" + (stage + 1), stage(config, stage, input, channels));
      input = config.output(channels);
    }
    child("pool", new GlobalAvgPool2d());
    child("fc", new Dense(input, config.classes()));
  }

  private static Cell stage(Config config, int stage, int input, int channels) {
    Map<String, Cell> cells = new LinkedHashMap<>();
    cells.put("block1", config.block(input, channels, stage == 0 ? 1 : 2));
    for (int block = 2; block <= config.blocks().get(stage); block++) {
      cells.put("block" + block, config.block(config.output(channels), channels, 1));
    }
    return new Sequential(cells);
  }

  @Override
  protected Tensor construct(Forward f, Tensor... inputs) {
    Tensor x = f.only(inputs);
    for (Cell layer : children().values()) {
      x = f.call(layer, x);
    }
    return x;
  }

  /**
   * Those of the zoo, for 1,000 classes. What is there to train them on are Fashion-MNIST's images
   * enlarged eight times, whose labels are the first ten classes. Momentum and decay (1e-4, of all
   * parameters) are the paper's, section 3.4; the rate is a tenth of its 0.1 for a batch that is a
   * sixteenth of its 256.
   */
  static List<NetworkDefinition> definitions() {
    return List.of(
        definition(18, new Config(List.of(2, 2, 2, 2), false, 1_000), 11_689_512),
        definition(34, new Config(List.of(3, 4, 6, 3), false, 1_000), 21_797_672),
        definition(50, new Config(List.of(3, 4, 6, 3), true, 1_000), 25_557_032));
  }

  private static NetworkDefinition definition(int depth, Config config, long parameters) {
    String version = config.bottleneck() ? " v1.5" : "";
    return new NetworkDefinition(
        "resnet" + depth,
        String.format(
            Locale.ROOT,
            "ResNet-%d%s for images of 224 x 224, %,d parameters",
            depth,
            version,
            parameters),
        () -> new ResNet(config),
        parameters,
        TensorSpec.of(DType.FP32, 3, 224, 224),
        FashionMnist.definition(),
        new TrainingDefaults(16, 1, 0.01, 0.9, 1e-4, RunSchedule.CONSTANT));
  }
}
