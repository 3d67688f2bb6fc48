package dev.halfcell.zoo.job;

import static dev.halfcell.zoo.job.WatchedMetric.TEST_ACCURACY;

import dev.halfcell.amp.AmpOptions;
import dev.halfcell.amp.precision.Numerics;
import dev.halfcell.op.precision.LossScale;
import dev.halfcell.train.Accumulation;
import dev.halfcell.train.OverflowPolicy;
import dev.halfcell.train.StepRules;
import dev.halfcell.zoo.NetworkDefinition;
import dev.halfcell.zoo.job.TrainingSpecification.EarlyStoppingSpecification;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * What a specification leaves unsaid, by pointer. What stays unsaid then has a meaning of its own:
 * {@code keepBatchNormFp32} and {@code castModelType} as the level has it, {@code clip}, {@code
 * ema} and {@code demotion} none.
 */
record Defaults(Assembly job, NetworkDefinition network) {
  Map<String, Object> values() {
    Map<String, Object> values = new LinkedHashMap<>();
    values.put("/device", job.job().device().orElse("auto"));
    values.put("/dataset/name", network.data().name());
    values.put("/dataset/config/shape", network.sample().shape().dims());
    values.put("/resources/loaderWorkers", job.loading().workers());
    training(values);
    precision(values);
    return values;
  }

  private void training(Map<String, Object> values) {
    TrainingSpecification said = job.job().training();
    if (said.steps().isEmpty()) {
      values.put("/training/epochs", said.epochs().orElse(network.defaults().epochs()));
    }
    values.put("/training/batchSize", job.batchSize());
    values.put(
        "/training/optimizer",
        OptimizerSpecification.of(
            said.optimizer().name().orElse(OptimizerSpecification.Name.momentum),
            said.optimizer().learningRate().orElse(network.defaults().learningRate()),
            said.optimizer().optimizer(network.defaults())));
    values.put("/training/schedule", job.schedule().text());
    Accumulation accumulation = job.accumulation();
    values.put(
        "/training/accumulation",
        Map.of(
            "microBatches",
            accumulation.microBatches(),
            "onOverflow",
            accumulation.onOverflow().name().toLowerCase(Locale.ROOT)));
    watching(values);
    values.put("/training/seed", job.options().run().seed());
  }

  private void watching(Map<String, Object> values) {
    EarlyStoppingSpecification early = job.job().training().earlyStopping();
    Optional<WatchedMetric> stopsBy =
        early.said() ? early.metric().or(() -> Optional.of(TEST_ACCURACY)) : Optional.empty();
    stopsBy.ifPresent(
        metric -> {
          values.put("/training/earlyStopping/metric", metric);
          values.put("/training/earlyStopping/minDelta", early.minDelta().orElse(0.0));
        });
    boolean tested =
        Stream.concat(stopsBy.stream(), job.job().checkpoint().best().metric().stream())
            .anyMatch(WatchedMetric::tested);
    if (tested && job.job().training().evaluation().everyEpochs().isEmpty()) {
      values.put("/training/evaluation/everyEpochs", 1);
    }
  }

  private void precision(Map<String, Object> values) {
    AmpOptions options = job.options();
    LossScale scale =
        options
            .step()
            .lossScale()
            .orElseGet(() -> job.level().defaultScale(options.precision().half()));
    values.put("/precision/level", job.level());
    values.put("/precision/half", options.precision().half());
    values.put("/precision/lossScale", LossScaleSpecification.of(scale));
    choices(options).forEach((key, value) -> values.put("/precision/options/" + key, value));
  }

  private static Map<String, Object> choices(AmpOptions options) {
    Numerics numerics = options.precision().numerics();
    StepRules rules = options.step().rules();
    Map<String, Object> choices = new LinkedHashMap<>();
    choices.put("castOverflow", numerics.castOverflow());
    choices.put("stochasticRounding", numerics.stochasticRounding());
    choices.put("halfParameters", numerics.halfParameters());
    choices.put("acceptSwamping", numerics.acceptSwamping());
    choices.put("stableStatistics", numerics.stableStatistics());
    choices.put("partials/everywhere", numerics.partials().everywhere());
    choices.put("overflowPolicy", policy(rules.overflow()));
    choices.put("nanLossIsOverflow", rules.nanLossIsOverflow());
    choices.put("maxConsecutiveOverflows", rules.maxConsecutiveOverflows());
    choices.put("maxHopelessSteps", rules.maxHopelessSteps());
    choices.put("diagnose", options.run().diagnosis().firstOffender());
    return choices;
  }

  private static String policy(OverflowPolicy of) {
    return switch (of) {
      case OverflowPolicy.Skip() -> "skip";
      case OverflowPolicy.RetrySameBatch(int max) -> "retry:" + max;
      case OverflowPolicy.Fail() -> "fail";
    };
  }
}
