package dev.halfcell.benchmarks.peers;

import dev.halfcell.benchmarks.peers.Layer.BatchNorm;
import dev.halfcell.benchmarks.peers.Layer.Convolution;
import dev.halfcell.benchmarks.peers.Layer.Dense;
import dev.halfcell.benchmarks.peers.Layer.GlobalAveragePool;
import dev.halfcell.benchmarks.peers.Layer.MaxPool;
import dev.halfcell.benchmarks.peers.Layer.Relu;
import dev.halfcell.benchmarks.peers.Layer.Residual;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** ResNets as HalfCell's zoo has them: shortcuts of 1 x 1, and no bias before a normalisation. */
final class ResidualNetworks {
  private static final int EXPANSION = 4;

  private ResidualNetworks() {}

  /** That for images of 32 x 32. */
  static Network resnet20() {
    List<Layer> layers = new ArrayList<>(convolution(3, 16, 3, 1));
    layers.add(new Relu());
    int inputs = 16;
    for (int stage = 0; stage < 3; stage++) {
      for (int block = 0; block < 3; block++) {
        int channels = 16 << stage;
        layers.addAll(basic(inputs, channels, stage > 0 && block == 0 ? 2 : 1));
        inputs = channels;
      }
    }
    layers.add(new GlobalAveragePool());
    layers.add(new Dense(inputs, 10));
    return new Network(List.of(3L, 32L, 32L), layers);
  }

  /** That for images of 224 x 224, version 1.5: the convolution of 3 x 3 strides. */
  static Network resnet50() {
    List<Layer> layers = new ArrayList<>(convolution(3, 64, 7, 2));
    layers.add(new Relu());
    layers.add(new MaxPool(3, 2, 1));
    int inputs = 64;
    List<Integer> blocks = List.of(3, 4, 6, 3);
    for (int stage = 0; stage < blocks.size(); stage++) {
      for (int block = 0; block < blocks.get(stage); block++) {
        int channels = 64 << stage;
        layers.addAll(bottleneck(inputs, channels, stage > 0 && block == 0 ? 2 : 1));
        inputs = EXPANSION * channels;
      }
    }
    layers.add(new GlobalAveragePool());
    layers.add(new Dense(inputs, 1000));
    return new Network(List.of(3L, 224L, 224L), layers);
  }

  private static List<Layer> basic(int inputs, int outputs, int stride) {
    List<Layer> branch =
        withRelu(convolution(inputs, outputs, 3, stride), convolution(outputs, outputs, 3, 1));
    return block(branch, inputs, outputs, stride);
  }

  private static List<Layer> bottleneck(int inputs, int inner, int stride) {
    int outputs = EXPANSION * inner;
    List<Layer> branch =
        withRelu(
            withRelu(convolution(inputs, inner, 1, 1), convolution(inner, inner, 3, stride)),
            convolution(inner, outputs, 1, 1));
    return block(branch, inputs, outputs, stride);
  }

  private static List<Layer> block(List<Layer> branch, int inputs, int outputs, int stride) {
    boolean same = inputs == outputs && stride == 1;
    List<Layer> shortcut = same ? List.of() : convolution(inputs, outputs, 1, stride);
    return List.of(new Residual(branch, shortcut), new Relu());
  }

  /** One that keeps the image's size but for its stride, and its normalisation. */
  private static List<Layer> convolution(int inputs, int outputs, int kernel, int stride) {
    return List.of(
        new Convolution(inputs, outputs, kernel, stride, kernel / 2, false),
        new BatchNorm(outputs));
  }

  private static List<Layer> withRelu(List<Layer> before, List<Layer> behind) {
    return Stream.of(before, List.<Layer>of(new Relu()), behind).flatMap(List::stream).toList();
  }
}
