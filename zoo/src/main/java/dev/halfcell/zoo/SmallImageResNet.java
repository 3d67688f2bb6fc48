package dev.halfcell.zoo;

import dev.halfcell.nn.Cell;
import dev.halfcell.nn.Dense;
import dev.halfcell.nn.Forward;
import dev.halfcell.nn.GlobalAvgPool2d;
import dev.halfcell.nn.ReLU;
import dev.halfcell.nn.Sequential;
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
 * ResNet with 6n + 2 layers for small images: a convolution of 3 x 3 to 16 channels, then three
 * stages of n basic blocks with 16, 32 and 64 channels at full, half and quarter resolution, the
 * mean of each channel, and a fully connected layer.
 *
 * <p>Shapes: x [N, channels, H, W], y [N, classes], logits. Parameters: with 3 channels and 10
 * classes those of the paper's networks (269,722 for ResNet-20 and so on, which its table 6 gives
 * as 0.27 million) plus 2,752: the shortcuts of two blocks project (option B), where the paper's
 * pad with zeros (option A).
 *
 * <p>Source: He et al., "Deep Residual Learning for Image Recognition", CVPR 2016, section 4.2.
 */
public final class SmallImageResNet extends Cell {
  private static final int WIDTH = 16;
  private static final int CHANNELS = 3;
  private static final int CLASSES = 10;

  /**
   * A tenth of the rate after half of the steps and again after three quarters, as in the paper.
   */
  private static final RunSchedule DIVIDED_TWICE = new RunSchedule("piecewise:50%=0.1,75%=0.01");

  /** Parameters of the two projections, which option A does without. */
  private static final long PROJECTIONS = 16 * 32 + 2 * 32 + 32 * 64 + 2 * 64;

  /**
   * What can be chosen.
   *
   * @param depth 6n + 2, at least 8
   * @param channels of the images
   * @param classes that are told apart
   */
  public record Config(int depth, int channels, int classes) {
    public Config {
      ArgumentException.require(
          depth >= 8 && depth % 6 == 2, "SmallImageResNet depth", "6n + 2, at least 8", depth);
      ArgumentException.require(channels >= 1, "SmallImageResNet", "at least 1 channel", channels);
      ArgumentException.require(classes >= 1, "SmallImageResNet", "at least 1 class", classes);
    }

    private int blocks() {
      return (depth - 2) / 6;
    }
  }

  /** A network whose values a state holds. */
  public SmallImageResNet(Config config) {
    Map<String, Cell> stem = new LinkedHashMap<>();
    ResidualBlock.convolution(stem, 1, config.channels(), WIDTH, 3, 1);
    stem.forEach(this::child);
    child("relu", new ReLU());
    child("stage1", stage(config.blocks(), WIDTH, WIDTH, 1));
    child("stage2", stage(config.blocks(), WIDTH, 2 * WIDTH, 2));
    child("stage3", stage(config.blocks(), 2 * WIDTH, 4 * WIDTH, 2));
    child("pool", new GlobalAvgPool2d());
    child("fc", new Dense(4 * WIDTH, config.classes()));
  }

  private static Cell stage(int blocks, int input, int output, int stride) {
    Map<String, Cell> cells = new LinkedHashMap<>();
    cells.put("block1", ResidualBlock.basic(input, output, stride));
    for (int block = 2; block <= blocks; block++) {
      cells.put("block" + block, ResidualBlock.basic(output, output, 1));
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
   * Those of the zoo, for ten classes and three channels, with the parameters that are published.
   * Batch, rate, momentum, decay (1e-4, of all parameters) and schedule are the paper's, section
   * 4.2, but for the length of the run: its 64,000 steps on CIFAR-10 are 164 epochs.
   */
  static List<NetworkDefinition> definitions() {
    return List.of(
        definition(8, 75_290),
        definition(14, 172_506),
        definition(20, 269_722),
        definition(26, 366_938),
        definition(32, 464_154),
        definition(44, 658_586),
        definition(56, 853_018),
        definition(110, 1_727_962));
  }

  private static NetworkDefinition definition(int depth, long withOptionA) {
    long parameters = withOptionA + PROJECTIONS;
    Config config = new Config(depth, CHANNELS, CLASSES);
    return new NetworkDefinition(
        "resnet" + depth,
        String.format(Locale.ROOT, "ResNet-%d for small images, %,d parameters", depth, parameters),
        () -> new SmallImageResNet(config),
        parameters,
        TensorSpec.of(DType.FP32, CHANNELS, 32, 32),
        FashionMnist.definition(),
        new TrainingDefaults(128, 10, 0.1, 0.9, 1e-4, DIVIDED_TWICE));
  }
}
