package dev.halfcell.benchmarks;

import dev.halfcell.nn.Cell;
import dev.halfcell.nn.Dense;
import dev.halfcell.nn.Forward;
import dev.halfcell.nn.GELU;
import dev.halfcell.nn.LayerNorm;
import dev.halfcell.nn.Sequential;
import dev.halfcell.nn.TransformerConfig;
import dev.halfcell.nn.TransformerEncoderLayer;
import dev.halfcell.tensor.Tensor;
import java.util.stream.Stream;

/**
 * A transformer's encoder of 4 layers, normalising first, with 256 features, 4 heads, 1,024 hidden
 * features and GELU; the mean of its normalised vectors is classified.
 *
 * <p>Shapes: x [N, T, 256], y [N, 10], logits. Parameters: 4 · (4 · (256² + 256) + 2 · 256 · 1024 +
 * 1024 + 256 + 4 · 256) + 2 · 256 + 2,570 = 3,162,122.
 */
final class EncoderClassifier extends Cell {
  static final int FEATURES = 256;
  private static final int LAYERS = 4;
  private static final int CLASSES = 10;
  private static final TransformerConfig LAYER =
      new TransformerConfig(FEATURES, 4, 1024, 0, true, GELU::new);

  private final Cell encoder;
  private final Cell norm;
  private final Cell head;

  EncoderClassifier() {
    encoder =
        child(
            "encoder",
            new Sequential(
                Stream.generate(() -> new TransformerEncoderLayer(LAYER))
                    .limit(LAYERS)
                    .toArray(Cell[]::new)));
    norm = child("norm", new LayerNorm(FEATURES));
    head = child("head", new Dense(FEATURES, CLASSES));
  }

  @Override
  protected Tensor construct(Forward f, Tensor... inputs) {
    Tensor vectors = f.call(norm, f.call(encoder, f.only(inputs)));
    return f.call(head, f.ops().mean(vectors, 1));
  }
}
