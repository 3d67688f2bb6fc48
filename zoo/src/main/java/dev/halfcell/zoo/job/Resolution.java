package dev.halfcell.zoo.job;

import dev.halfcell.amp.AmpOptions;
import dev.halfcell.amp.precision.Level;
import dev.halfcell.amp.precision.Numerics;
import dev.halfcell.op.precision.CastOverflow;
import dev.halfcell.tensor.DType;
import dev.halfcell.train.StepRules;
import dev.halfcell.zoo.NetworkDefinition;
import java.util.Optional;
import java.util.Set;

/**
 * Fills in what a specification leaves to the recipe and the level, and finds what does not fit
 * together. A pure function.
 */
final class Resolution {
  private final JobSpecification said;
  private final Assembly assembly;
  private final Mistakes mistakes;

  Resolution(JobSpecification said, Mistakes mistakes) {
    this.said = said;
    this.assembly = new Assembly(said);
    this.mistakes = mistakes;
  }

  /** The specification with everything said; none where there are mistakes. */
  Optional<JobSpecification> resolved() {
    Optional<NetworkDefinition> network = new NetworkCheck(said, mistakes).network();
    network.ifPresent(
        of ->
            mistakes.at(
                "/training/optimizer", () -> said.training().optimizer().optimizer(of.defaults())));
    contradictions();
    parts();
    if (!mistakes.none()) {
      return Optional.empty();
    }
    return network.filter(_ -> new NetworkCheck(said, mistakes).fits(assembly)).map(this::filled);
  }

  private void contradictions() {
    TrainingSpecification training = said.training();
    if (training.epochs().isPresent() && training.steps().isPresent()) {
      mistakes.add("/training/steps", "epochs or steps", "both", "Leave one of them out.");
    }
    if (training.clip().norm().isPresent() && training.clip().value().isPresent()) {
      mistakes.add("/training/clip/value", "a norm or a value", "both", "Leave one of them out.");
    }
    if (Set.copyOf(said.logs()).size() < said.logs().size()) {
      mistakes.add("/logs", "each once", "one of them twice", "Leave one of them out.");
    }
    if (training.earlyStopping().said() && training.earlyStopping().patience().isEmpty()) {
      mistakes.add(
          "/training/earlyStopping/patience", "how many measurements in a row", "none", "Say it.");
    }
    rareEvaluation(training);
    testsOfNothing(training);
    uselessCasts();
    training
        .optimizer()
        .strangers()
        .forEach(
            (key, known) ->
                mistakes.add(
                    Pointer.child("/training/optimizer", key),
                    "keys of this optimizer: " + String.join(", ", known),
                    "'" + key + "'",
                    "Leave it out, or name another optimizer."));
  }

  /** What is never measured would be watched for nothing. */
  private void rareEvaluation(TrainingSpecification training) {
    int every = training.evaluation().everyEpochs().orElse(1);
    int epochs = training.epochs().orElse(every);
    if (every > epochs) {
      mistakes.add(
          "/training/evaluation/everyEpochs",
          "at most " + epochs + ", as many as there are epochs",
          String.valueOf(every),
          "Measure more often.");
    }
  }

  /** Synthetic data has no samples to test on. */
  private void testsOfNothing(TrainingSpecification training) {
    if (!assembly.job().dataset().isSynthetic()) {
      return;
    }
    boolean stops = training.earlyStopping().said();
    boolean stopsByTests =
        stops && training.earlyStopping().metric().orElse(WatchedMetric.TEST_ACCURACY).tested();
    boolean bestByTests =
        said.checkpoint().best().metric().filter(WatchedMetric::tested).isPresent();
    needsTests("/training/evaluation", training.evaluation().everyEpochs().isPresent());
    needsTests("/training/earlyStopping/metric", stopsByTests);
    needsTests("/checkpoint/best/metric", bestByTests);
  }

  private void needsTests(String key, boolean wanted) {
    if (wanted) {
      mistakes.add(
          key,
          "data with test samples",
          "synthetic data, which has none",
          "Leave it out, or watch train_loss.");
    }
  }

  /** At O0 nothing is cast, unless it is said of parts or of the whole network. */
  private void uselessCasts() {
    PrecisionSpecification precision = said.precision();
    PrecisionChoices options = precision.options();
    boolean casts =
        assembly.level() != Level.O0
            || !precision.parts().isEmpty()
            || !options.allow().isEmpty()
            || options.castModelType().isPresent();
    if (casts) {
      return;
    }
    String expected = "a level that casts to half";
    if (options.castOverflow().orElse(CastOverflow.INF) != CastOverflow.INF) {
      mistakes.add("/precision/options/castOverflow", expected, "O0", "");
    }
    if (options.stochasticRounding().orElse(false) && !options.halfParameters().orElse(false)) {
      mistakes.add("/precision/options/stochasticRounding", expected, "O0", "");
    }
  }

  /** What is made of the parts finds what is wrong with them. */
  private void parts() {
    mistakes.at(
        "/training/schedule", () -> said.training().schedule().ifPresent(_ -> assembly.schedule()));
    mistakes.at("/training/ema", () -> said.training().ema().ifPresent(StepRules.defaults()::ema));
    mistakes.at(
        "/precision/options/overflowPolicy",
        () -> said.precision().options().overflowPolicy().ifPresent(OverflowPolicies::named));
    if (said.precision().lossScale().said()) {
      mistakes.at("/precision/lossScale", () -> said.precision().lossScale().rule(half()));
    }
    if (mistakes.none()) {
      mistakes.at("/precision/options", this::requireOptions);
    }
  }

  private DType half() {
    return said.precision()
        .half()
        .or(() -> said.precision().options().castModelType().filter(type -> type.half()))
        .orElse(DType.FP16);
  }

  private void requireOptions() {
    AmpOptions options = assembly.options();
    Numerics numerics = options.precision().numerics();
    numerics.storage(options.precision().half());
  }

  private JobSpecification filled(NetworkDefinition network) {
    return said.with(new Defaults(assembly, network).values());
  }
}
