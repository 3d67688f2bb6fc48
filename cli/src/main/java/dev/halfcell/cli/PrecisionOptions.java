package dev.halfcell.cli;

import dev.halfcell.amp.AmpOptions;
import dev.halfcell.amp.precision.Level;
import dev.halfcell.op.precision.CastOverflow;
import dev.halfcell.tensor.DType;
import dev.halfcell.zoo.NetworkDefinition;
import java.util.List;
import java.util.Optional;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Which network a command is about, and how much of it runs in half. */
final class PrecisionOptions {
  @Mixin private NetworkArgument network = new NetworkArgument();

  @Mixin private HalfOption half = new HalfOption();

  @Spec(Spec.Target.MIXEE)
  private CommandSpec spec;

  @Option(
      names = "--level",
      paramLabel = "O0|O1|O2|O3|auto",
      defaultValue = "O2",
      converter = OptionValues.LevelName.class,
      description =
          "How much runs in half: nothing (O0), convolutions and dense layers (O1), all but"
              + " normalisations and the loss (O2), normalisations too (O3), each op by its class"
              + " (auto). Default: O2.")
  private Level level;

  @Option(
      names = "--keep-batchnorm-fp32",
      arity = "1",
      paramLabel = "true|false",
      converter = OptionValues.Truth.class,
      description =
          "Whether normalisations read and write fp32. Default: the level's own (false at O3).")
  private Optional<Boolean> keepBatchNormFp32;

  @Option(
      names = "--cast-overflow",
      paramLabel = "inf|nan|saturate",
      defaultValue = "inf",
      converter = OptionValues.Overflow.class,
      description =
          "What a cast to half makes of a number that is too large: an infinity, a NaN, or the"
              + " largest there is. Default: inf.")
  private CastOverflow castOverflow;

  @Option(
      names = "--stochastic-rounding",
      description =
          "Round casts to half, and parameters that are kept in half, up or down by chance, so"
              + " that the mean is exact. Default: to nearest.")
  private boolean stochasticRounding;

  @Option(
      names = "--half-parameters",
      description =
          "Keep parameters in half, with no fp32 copy; wants --stochastic-rounding, without which"
              + " small updates are lost.")
  private boolean halfParameters;

  @Option(
      names = "--stable-statistics",
      description =
          "Have every batch normalisation take the mean first and the variance in a second pass."
              + " Default: as each cell says, usually both in one pass in double.")
  private boolean stableStatistics;

  @Option(
      names = "--partials",
      paramLabel = "[PATTERN=]fp16|bf16|fp32",
      converter = OptionValues.PartialsOfCells.class,
      description =
          "Keep running sums of products of half in this type, everywhere or in the cells at paths"
              + " such as /fc1, with all below them; may be given several times. On a device that"
              + " offers it: reference. Default: fp32.")
  private List<PartialsOption> partials = List.of();

  NetworkDefinition network() {
    return network.network();
  }

  Level level() {
    return level;
  }

  DType half() {
    return half.half();
  }

  /** What parameters are kept in. */
  DType storage() {
    return halfParameters ? half() : DType.FP32;
  }

  private void requireCasts(boolean asked, String option) {
    if (asked && level == Level.O0) {
      throw new ParameterException(
          spec.commandLine(), option + ": expected a level that casts to half, got O0.");
    }
  }

  /**
   * The options of a train cell that these say.
   *
   * @throws ParameterException where they contradict each other
   */
  AmpOptions options() {
    if (halfParameters && !stochasticRounding) {
      throw new ParameterException(
          spec.commandLine(),
          "--half-parameters: expected --stochastic-rounding with it, without which small updates"
              + " are lost in rounding, got none.");
    }
    requireCasts(castOverflow != CastOverflow.INF, "--cast-overflow");
    requireCasts(stochasticRounding && !halfParameters, "--stochastic-rounding");
    AmpOptions options =
        AmpOptions.defaults()
            .half(half())
            .castOverflow(castOverflow)
            .stochasticRounding(stochasticRounding)
            .halfParameters(halfParameters)
            .stableStatistics(stableStatistics);
    for (PartialsOption each : partials) {
      options = each.on(options);
    }
    return keepBatchNormFp32.map(options::keepBatchNormFp32).orElse(options);
  }
}
