package dev.halfcell.amp.config;

import dev.halfcell.amp.AmpOptions;
import dev.halfcell.amp.precision.Level;
import dev.halfcell.op.precision.DynamicScale;
import dev.halfcell.op.precision.LossScale;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * NNabla's words for mixed precision: the {@code type_config} of a context, and the arguments of
 * its {@code DynamicLossScalingUpdater}.
 *
 * <ul>
 *   <li>{@code type_config}: {@code "float"} is O0, {@code "half"} is O2 with FP16
 *   <li>{@code scale}, {@code scaling_factor}, {@code N}: the numbers of {@link LossScale#nnabla};
 *       any of them asks for that rule
 *   <li>{@code accum_grad}: 1. NNabla adds up the gradients of several batches where HalfCell takes
 *       their mean, so other numbers would not mean the same learning rate
 * </ul>
 *
 * <p>What else the updater takes is a matter of other parts: {@code weight_decay} of the optimizer,
 * {@code comm} and {@code grads} of the ranks, {@code clear_buffer} of nobody, since a plan frees
 * what it no longer needs. They are errors that say so.
 *
 * <p>Source: Sony NNabla, experimental.mixed_precision_training.DynamicLossScalingUpdater.
 */
public final class NNabla {
  private static final List<String> RULE = List.of("scale", "scaling_factor", "N");
  private static final Map<String, String> ELSEWHERE =
      Map.of(
          "weight_decay", "Give the optimizer a weight decay.",
          "comm", "Give the options a collective.",
          "grads", "All gradients are exchanged: leave it out.",
          "clear_buffer", "Plans free what they no longer need: leave it out.");

  private NNabla() {}

  /**
   * What these words say.
   *
   * @throws dev.halfcell.tensor.ArgumentException where a word is unknown, its value is of another
   *     kind, or it has no equal here
   */
  public static PrecisionSettings settings(Map<String, ?> configuration) {
    Keys keys = new Keys("NNabla", "", configuration);
    ELSEWHERE.forEach(
        (key, fix) -> {
          if (keys.has(key)) {
            throw keys.problem(key, "precision and loss scale", "a key of another part", fix);
          }
        });
    keys.only(Stream.concat(Stream.of("type_config", "accum_grad"), RULE.stream()).toList());
    if (keys.whole("accum_grad").orElse(1) != 1) {
      throw keys.problem(
          "accum_grad",
          "1",
          String.valueOf(keys.whole("accum_grad").orElseThrow()),
          "Use AmpOptions.accumulation(n), which takes the mean: multiply the learning rate by n.");
    }
    AmpOptions options = AmpOptions.defaults();
    if (RULE.stream().anyMatch(keys::has)) {
      options = options.lossScale(rule(keys));
    }
    String type = keys.word("type_config").orElse("float");
    return switch (type) {
      case "float" -> new PrecisionSettings(Level.O0, options);
      case "half" -> new PrecisionSettings(Level.O2, options);
      default -> throw keys.problem("type_config", "'float' or 'half'", "'" + type + "'", "");
    };
  }

  private static LossScale rule(Keys keys) {
    DynamicScale usual = LossScale.nnabla();
    return usual
        .from(keys.number("scale").orElse(usual.init()))
        .factor(keys.number("scaling_factor").orElse(usual.up()))
        .window(keys.whole("N").orElse(usual.window()));
  }
}
