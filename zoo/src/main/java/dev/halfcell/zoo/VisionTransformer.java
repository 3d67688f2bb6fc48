package dev.halfcell.zoo;

import dev.halfcell.nn.Cell;
import dev.halfcell.nn.Dense;
import dev.halfcell.nn.Dropout;
import dev.halfcell.nn.Forward;
import dev.halfcell.nn.Initializer;
import dev.halfcell.nn.LayerNorm;
import dev.halfcell.nn.Parameter;
import dev.halfcell.nn.PositionalEmbedding;
import dev.halfcell.nn.Sequential;
import dev.halfcell.nn.TransformerConfig;
import dev.halfcell.nn.TransformerEncoderLayer;
import dev.halfcell.tensor.ArgumentException;
import dev.halfcell.tensor.DType;
import dev.halfcell.tensor.Shape;
import dev.halfcell.tensor.Tensor;
import dev.halfcell.tensor.TensorSpec;
import dev.halfcell.zoo.data.FashionMnist;
import java.util.List;
import java.util.stream.Stream;

/**
 * A transformer's encoder that classifies images: patches become vectors, a class token joins them,
 * each gets the vector of its place, layers of self-attention and feed-forward follow, and what the
 * class token has become is normalised and classified.
 *
 * <p>Shapes: x [N, channels, side, side], y [N, classes], logits.
 *
 * <p>Parameters, with E = width, H = hidden, P = (side / patch)² patches of F = channels · patch²
 * numbers: embedding E · F + E, class token E, places (P + 1) · E; each layer 4 (E² + E) for
 * attention, 2 E · H + H + E for the feed-forward part and 4 E for two normalisations; 2 E for the
 * last one; E · classes + classes. With the configuration of the zoo: 1,088 + 64 + 4,160 + 4 ·
 * 33,472 + 128 + 650 = 139,978. (For ViT-Base's configuration the sum is that of its paper's table
 * 1, 86 million.)
 *
 * <p>Source: Vaswani et al., "Attention Is All You Need", NeurIPS 2017, section 3; Dosovitskiy et
 * al., "An Image is Worth 16x16 Words", ICLR 2021, section 3.1, here with ReLU.
 */
public final class VisionTransformer extends Cell {
  private final Config config;
  private final Cell embedding;
  private final Parameter classToken;
  private final Cell positions;
  private final Cell dropout;
  private final Cell encoder;
  private final Cell norm;
  private final Cell head;

  /**
   * What can be chosen.
   *
   * @param side of the images, in pixels; a multiple of {@code patch}
   * @param patch side of a patch
   * @param layers how many encoder layers
   * @param layer what each is made of
   */
  public record Config(
      int channels, int side, int patch, int layers, int classes, TransformerConfig layer) {
    public Config {
      require(channels >= 1, "at least 1 channel", channels);
      require(patch >= 1 && side >= patch && side % patch == 0, "a side of whole patches", side);
      require(layers >= 1, "at least 1 layer", layers);
      require(classes >= 1, "at least 1 class", classes);
    }

    private static void require(boolean holds, String expected, int got) {
      ArgumentException.require(holds, "VisionTransformer", expected, got);
    }

    private int patches() {
      return side / patch * (side / patch);
    }

    private int pixels() {
      return channels * patch * patch;
    }
  }

  /** A network whose values a state holds. */
  public VisionTransformer(Config config) {
    this.config = config;
    int width = config.layer().features();
    Initializer start = new Initializer.Normal(Math.sqrt(1.0 / config.pixels()));
    Initializer zero = new Initializer.Constant(0);
    embedding = child("embedding", new Dense(config.pixels(), width, start, zero));
    classToken = parameter("class_token", new Initializer.Normal(0.02), width);
    positions = child("positions", PositionalEmbedding.learned(config.patches() + 1, width));
    dropout = child("dropout", new Dropout(config.layer().dropout()));
    encoder =
        child(
            "encoder",
            new Sequential(
                Stream.generate(() -> new TransformerEncoderLayer(config.layer()))
                    .limit(config.layers())
                    .toArray(Cell[]::new)));
    norm = child("norm", new LayerNorm(width));
    head = child("head", new Dense(width, config.classes(), zero, zero));
  }

  @Override
  protected Tensor construct(Forward f, Tensor... inputs) {
    Tensor vectors = f.call(embedding, patches(f, f.only(inputs)));
    int samples = vectors.spec().dim(0);
    int width = config.layer().features();
    Tensor token = f.ops().cast(f.read(classToken), vectors.dtype());
    Tensor tokens = f.ops().repeat(token, Shape.of(samples, 1, width), List.of(0, 1));
    Tensor x = f.call(dropout, f.call(positions, f.ops().concat(1, tokens, vectors)));
    Tensor encoded = f.call(encoder, x);
    Tensor first = f.ops().reshape(f.ops().slice(encoded, 1, 0, 1), Shape.of(samples, width));
    return f.call(head, f.call(norm, first));
  }

  /** The pixels of each patch in a row: [N, patches, channels · patch²]. */
  private Tensor patches(Forward f, Tensor x) {
    int across = config.side() / config.patch();
    int samples = x.spec().dim(0);
    Shape apart =
        Shape.of(samples, config.channels(), across, config.patch(), across, config.patch());
    Tensor grouped = f.ops().transpose(f.ops().reshape(x, apart), 0, 2, 4, 1, 3, 5);
    return f.ops().reshape(grouped, Shape.of(samples, config.patches(), config.pixels()));
  }

  /** That of the zoo. */
  static NetworkDefinition definition() {
    Config config = new Config(1, 32, 4, 4, 10, new TransformerConfig(64, 4, 128));
    return new NetworkDefinition(
        "vit",
        "Vision transformer of 4 layers over patches of 4 x 4, 139,978 parameters",
        () -> new VisionTransformer(config),
        139_978,
        TensorSpec.of(DType.FP32, 1, 32, 32),
        FashionMnist.definition(),
        new TrainingDefaults(64, 10, 0.05, 0.9));
  }
}
