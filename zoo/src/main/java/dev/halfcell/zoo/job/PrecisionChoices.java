package dev.halfcell.zoo.job;

import dev.halfcell.op.precision.CastOverflow;
import dev.halfcell.tensor.DType;
import dev.halfcell.train.diagnosis.Trap;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What can be said of precision beside the level, the dtype, the loss scale and the parts; each as
 * the option of that name means it.
 */
public record PrecisionChoices(
    @Key("Whether normalisations read and write fp32. Default: the level's own.")
        Optional<Boolean> keepBatchNormFp32,
    @Key(
            value = "What the network computes in, whatever the level.",
            words = {"fp32", "fp16", "bf16"})
        Optional<DType> castModelType,
    @Key("What a cast to half makes of a number that is too large.")
        Optional<CastOverflow> castOverflow,
    @Key("Round casts to half, and parameters that are kept in half, by chance.")
        Optional<Boolean> stochasticRounding,
    @Key("Keep parameters in half, with no fp32 copy.") Optional<Boolean> halfParameters,
    @Key("Let updates of less than half a place of a parameter be lost.")
        Optional<Boolean> acceptSwamping,
    @Key("Take the statistics of batch normalisations in two passes.")
        Optional<Boolean> stableStatistics,
    @Key("What running sums of products of half are kept in.") PartialsSpecification partials,
    @Key(value = "Path patterns and ops that run in half.", most = 256) List<String> allow,
    @Key(value = "Path patterns and ops that run in fp32.", most = 256) List<String> deny,
    @Key(value = "Path patterns and ops that take the widest input.", most = 256)
        List<String> promote,
    @Key(
            value =
                "What becomes of a batch whose step overflows: skip, retry, retry:N for at most N"
                    + " more tries (10), or fail.",
            least = 1,
            most = 32)
        Optional<String> overflowPolicy,
    @Key("Whether a loss that is not finite refuses the step.") Optional<Boolean> nanLossIsOverflow,
    @Key(value = "The most steps refused one after another.", least = 1)
        Optional<Integer> maxConsecutiveOverflows,
    @Key(value = "The most such steps that a lower scale would not have saved.", least = 1)
        Optional<Integer> maxHopelessSteps,
    @Key("Name what first was not finite in each step that overflows.") Optional<Boolean> diagnose,
    @Key(value = "Exceptions that end the training; steps then run op by op.", most = 3)
        List<Trap> fpExceptions,
    @Key("When a cell that overflows is moved to fp32; left out, never.")
        Optional<DemotionSpecification> demotion) {
  public PrecisionChoices {
    allow = List.copyOf(allow);
    deny = List.copyOf(deny);
    promote = List.copyOf(promote);
    fpExceptions = List.copyOf(fpExceptions);
  }

  /**
   * What running sums of products of half are kept in.
   *
   * @param everywhere the dtype where nothing else is said
   * @param cells the dtype in the cells at paths, and all below them
   */
  @ShortForm("everywhere")
  public record PartialsSpecification(
      @Key(
              value = "The dtype where nothing else is said.",
              words = {"fp32", "fp16", "bf16"})
          Optional<DType> everywhere,
      @Key(
              value = "The dtype in the cells at paths such as /fc1, and all below them.",
              words = {"fp32", "fp16", "bf16"},
              most = 256)
          Map<String, DType> cells) {
    public PartialsSpecification {
      cells = Collections.unmodifiableMap(new LinkedHashMap<>(cells));
    }
  }

  /**
   * When a cell is moved to FP32.
   *
   * @param after how many steps in which it was the first offender
   * @param within so many steps
   */
  public record DemotionSpecification(
      @Key(value = "Steps in which it was the first to overflow.", least = 1) int after,
      @Key(value = "The steps seen among which those have to be.", least = 1) int within) {}
}
