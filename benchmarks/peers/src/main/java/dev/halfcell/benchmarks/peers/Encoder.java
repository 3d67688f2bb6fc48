package dev.halfcell.benchmarks.peers;

import dev.halfcell.benchmarks.peers.Layer.Dense;
import dev.halfcell.benchmarks.peers.Layer.Gelu;
import dev.halfcell.benchmarks.peers.Layer.LayerNorm;
import dev.halfcell.benchmarks.peers.Layer.MeanOfVectors;
import dev.halfcell.benchmarks.peers.Layer.Residual;
import dev.halfcell.benchmarks.peers.Layer.SelfAttention;
import java.util.ArrayList;
import java.util.List;

/** A transformer's encoder over 128 vectors of 256 features, normalising first, as a classifier. */
final class Encoder {
  private static final int FEATURES = 256;
  private static final int HEADS = 4;
  private static final int HIDDEN = 1024;

  private Encoder() {}

  static Network network(int depth, int classes) {
    List<Layer> layers = new ArrayList<>();
    for (int layer = 0; layer < depth; layer++) {
      layers.add(plus(new LayerNorm(FEATURES), new SelfAttention(FEATURES, HEADS)));
      layers.add(
          plus(
              new LayerNorm(FEATURES),
              new Dense(FEATURES, HIDDEN),
              new Gelu(),
              new Dense(HIDDEN, FEATURES)));
    }
    layers.add(new LayerNorm(FEATURES));
    layers.add(new MeanOfVectors());
    layers.add(new Dense(FEATURES, classes));
    return new Network(List.of(128L, (long) FEATURES), layers);
  }

  private static Layer plus(Layer... branch) {
    return new Residual(List.of(branch), List.of());
  }
}
