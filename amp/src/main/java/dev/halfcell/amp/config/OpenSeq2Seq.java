package dev.halfcell.amp.config;

import dev.halfcell.amp.AmpOptions;
import dev.halfcell.amp.precision.Level;
import dev.halfcell.op.precision.DynamicScale;
import dev.halfcell.op.precision.LogMaxScale;
import dev.halfcell.op.precision.LossScale;
import dev.halfcell.tensor.DType;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * OpenSeq2Seq's keys for mixed precision. Its documentation and its code spell the loss scale
 * differently: both are taken, and whole numbers too, which its code ignores.
 *
 * <ul>
 *   <li>{@code dtype}: {@code "float32"} is O0; {@code "mixed"} is O2 with FP16; {@code "float16"},
 *       which has no FP32 weights, is O3 with half parameters
 *   <li>{@code encoder_params}, {@code decoder_params}, {@code loss_params}, each with its own
 *       {@code dtype}: that part of the network, named {@code encoder} or {@code decoder}; losses
 *       are FP32
 *   <li>{@code loss_scale} or {@code loss_scaling}: a number, or {@code "Backoff"} or {@code
 *       "LogMax"}, which {@code automatic_loss_scaling} takes too; only with {@code "mixed"}
 *   <li>{@code loss_scaling_params}: {@code scale_min}, {@code scale_max}; of Backoff {@code
 *       step_factor}, {@code step_window}; of LogMax {@code log_max}, {@code beta1}, {@code beta2},
 *       {@code overflow_std_dev}
 *   <li>{@code iter_size}: micro-batches to a step, with the mean of their gradients
 * </ul>
 *
 * <p>Source: NVIDIA OpenSeq2Seq, docs "Mixed Precision Training"; open_seq2seq/models/model.py,
 * optimizers/automatic_loss_scaler.py.
 */
public final class OpenSeq2Seq {
  /** All of them, but for those inside others. */
  public static final List<String> KEYS =
      List.of(
          "dtype",
          "loss_scale",
          "loss_scaling",
          "automatic_loss_scaling",
          "loss_scaling_params",
          "encoder_params",
          "decoder_params",
          "loss_params",
          "iter_size");

  private static final List<String> SCALE_KEYS =
      List.of("loss_scale", "loss_scaling", "automatic_loss_scaling");
  private static final List<String> DTYPES = List.of("float32", "float16", "mixed");

  private OpenSeq2Seq() {}

  /**
   * What these keys say.
   *
   * @throws dev.halfcell.tensor.ArgumentException where a key is unknown, its value is of another
   *     kind, or two of them contradict each other
   */
  public static PrecisionSettings settings(Map<String, ?> configuration) {
    Keys keys = new Keys("OpenSeq2Seq", "", configuration).only(KEYS);
    String dtype = dtype(keys).orElse("float32");
    AmpOptions options = withParts(keys, AmpOptions.defaults());
    Optional<LossScale> scale = scale(keys, dtype);
    options = scale.map(options::lossScale).orElse(options);
    options = keys.whole("iter_size").map(options::accumulation).orElse(options);
    return switch (dtype) {
      case "float32" -> new PrecisionSettings(Level.O0, options);
      case "mixed" ->
          new PrecisionSettings(
              Level.O2, scale.isPresent() ? options : options.lossScale(LossScale.none()));
      default -> new PrecisionSettings(Level.O3, halfWeights(options));
    };
  }

  private static AmpOptions halfWeights(AmpOptions options) {
    return options.halfParameters(true).acceptSwamping(true);
  }

  private static Optional<String> dtype(Keys keys) {
    Optional<String> dtype =
        keys.word("dtype").map(word -> word.startsWith("tf.") ? word.substring(3) : word);
    dtype.ifPresent(
        word -> {
          if (!DTYPES.contains(word)) {
            throw keys.problem("dtype", "one of " + DTYPES, "'" + word + "'", "");
          }
        });
    return dtype;
  }

  private static AmpOptions withParts(Keys keys, AmpOptions options) {
    AmpOptions with = options;
    for (String part : List.of("encoder", "decoder")) {
      Optional<String> dtype = dtype(keys.part(part + "_params").only(List.of("dtype")));
      if (dtype.isPresent()) {
        DType in = dtype.get().equals("float32") ? DType.FP32 : DType.FP16;
        with = with.part(part, in);
      }
    }
    Keys loss = keys.part("loss_params").only(List.of("dtype"));
    if (!dtype(loss).orElse("float32").equals("float32")) {
      throw loss.problem(
          "dtype",
          "'float32'",
          "'" + dtype(loss).orElseThrow() + "'",
          "Losses are fp32 at every level; for one in half call toFloat(FP16) on its cell.");
    }
    return with;
  }

  private static Optional<LossScale> scale(Keys keys, String dtype) {
    List<String> given = SCALE_KEYS.stream().filter(keys::has).toList();
    if (given.size() > 1) {
      throw keys.problem(given.get(1), "one loss scale", "two: " + given, "Keep one of them.");
    }
    if (given.isEmpty() && !keys.has("loss_scaling_params")) {
      return Optional.empty();
    }
    String key = given.isEmpty() ? "loss_scaling_params" : given.getFirst();
    if (!dtype.equals("mixed")) {
      throw keys.problem(key, "dtype 'mixed'", "'" + dtype + "'", "Only 'mixed' scales losses.");
    }
    if (given.isEmpty()) {
      throw keys.problem(
          key, "a loss_scaling that it belongs to", "none", "Add 'Backoff' or 'LogMax'.");
    }
    return Optional.of(rule(keys, key));
  }

  private static LossScale rule(Keys keys, String key) {
    if (keys.values().get(key) instanceof Number && !key.equals("automatic_loss_scaling")) {
      if (keys.has("loss_scaling_params")) {
        throw keys.problem("loss_scaling_params", "'Backoff' or 'LogMax'", "a fixed scale", "");
      }
      return LossScale.fixed(keys.number(key).orElseThrow());
    }
    Keys params = keys.part("loss_scaling_params");
    String algorithm = keys.word(key).orElseThrow().replace(" ", "").toLowerCase(Locale.ROOT);
    return switch (algorithm) {
      case "backoff" -> backoff(params);
      case "logmax" -> logMax(params);
      default ->
          throw keys.problem(
              key, "'Backoff', 'LogMax' or a number", "'" + keys.word(key).orElseThrow() + "'", "");
    };
  }

  private static LossScale backoff(Keys params) {
    params.only(List.of("scale_min", "scale_max", "step_factor", "step_window"));
    DynamicScale usual = LossScale.openSeq2SeqBackoff();
    double max = params.number("scale_max").orElse(usual.max());
    double factor = params.number("step_factor").orElse(usual.up());
    return new DynamicScale(
        max, // where it starts
        factor,
        1 / factor,
        params.whole("step_window").orElse(usual.window()),
        params.number("scale_min").orElse(usual.min()),
        max,
        usual.habits());
  }

  private static LossScale logMax(Keys params) {
    params.only(List.of("scale_min", "scale_max", "log_max", "beta1", "beta2", "overflow_std_dev"));
    LogMaxScale usual = LossScale.logMax();
    return new LogMaxScale(
        params.number("scale_min").orElse(usual.min()),
        params.number("scale_max").orElse(usual.max()),
        params.number("log_max").orElse(usual.logMax()),
        params.number("beta1").orElse(usual.meanDecay()),
        params.number("beta2").orElse(usual.spreadDecay()),
        params.number("overflow_std_dev").orElse(usual.deviations()));
  }
}
