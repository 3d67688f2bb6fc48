package dev.halfcell.cli;

import dev.halfcell.amp.precision.Level;
import dev.halfcell.op.precision.CastOverflow;
import dev.halfcell.tensor.DType;
import dev.halfcell.zoo.job.JobSpecification;
import java.util.List;
import picocli.CommandLine.Option;

/** How much of a network runs in half, and how. */
final class PrecisionOptions {
  private static final String OPTIONS = "/precision/options/";

  private final SaidKeys keys = new SaidKeys();
  private List<PartialsOption> partials = List.of();

  /** The specification with what these options say in the place of what it says. */
  JobSpecification over(JobSpecification specification) {
    if (!partials.isEmpty()) {
      // Not in the setter: picocli hides what is thrown there behind a message of its own.
      keys.say(OPTIONS + "partials", PartialsOption.all(partials));
    }
    return keys.over(specification);
  }

  @Option(
      names = "--level",
      paramLabel = "O0|O1|O2|O3|auto",
      converter = OptionValues.LevelName.class,
      description =
          "How much runs in half: nothing (O0), convolutions and dense layers (O1), all but"
              + " normalisations and the loss (O2), normalisations too (O3), each op by its class"
              + " (auto). Default: O2.")
  void level(Level level) {
    keys.say("/precision/level", level);
  }

  @Option(
      names = "--half",
      paramLabel = "fp16|bf16",
      converter = OptionValues.Half.class,
      description = HalfOption.DESCRIPTION)
  void half(DType half) {
    keys.say("/precision/half", half);
  }

  @Option(
      names = "--keep-batchnorm-fp32",
      arity = "1",
      paramLabel = "true|false",
      converter = OptionValues.Truth.class,
      description =
          "Whether normalisations read and write fp32. Default: the level's own (false at O3).")
  void keepBatchNormFp32(boolean keep) {
    keys.say(OPTIONS + "keepBatchNormFp32", keep);
  }

  @Option(
      names = "--cast-overflow",
      paramLabel = "inf|nan|saturate",
      converter = OptionValues.Overflow.class,
      description =
          "What a cast to half makes of a number that is too large: an infinity, a NaN, or the"
              + " largest there is. Default: inf.")
  void castOverflow(CastOverflow mode) {
    keys.say(OPTIONS + "castOverflow", mode);
  }

  @Option(
      names = "--stochastic-rounding",
      description =
          "Round casts to half, and parameters that are kept in half, up or down by chance, so"
              + " that the mean is exact. Default: to nearest.")
  void stochasticRounding(boolean byChance) {
    keys.say(OPTIONS + "stochasticRounding", byChance);
  }

  @Option(
      names = "--half-parameters",
      description =
          "Keep parameters in half, with no fp32 copy; wants --stochastic-rounding, without which"
              + " small updates are lost.")
  void halfParameters(boolean half) {
    keys.say(OPTIONS + "halfParameters", half);
  }

  @Option(
      names = "--stable-statistics",
      description =
          "Have every batch normalisation take the mean first and the variance in a second pass."
              + " Default: as each cell says, usually both in one pass in double.")
  void stableStatistics(boolean stable) {
    keys.say(OPTIONS + "stableStatistics", stable);
  }

  @Option(
      names = "--partials",
      paramLabel = "[PATTERN=]fp16|bf16|fp32",
      converter = OptionValues.PartialsOfCells.class,
      description =
          "Keep running sums of products of half in this type, everywhere or in the cells at paths"
              + " such as /fc1, with all below them; may be given several times. On a device that"
              + " offers it: reference. Default: fp32.")
  void partials(List<PartialsOption> sums) {
    partials = List.copyOf(sums);
  }
}
