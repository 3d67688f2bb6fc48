package dev.halfcell.zoo.job;

import dev.halfcell.amp.AmpOptions;
import dev.halfcell.amp.diagnosis.Demotion;
import dev.halfcell.amp.diagnosis.Diagnosis;
import dev.halfcell.amp.precision.Level;
import dev.halfcell.amp.precision.PrecisionOptions;
import dev.halfcell.data.Loading;
import dev.halfcell.data.SampleChange;
import dev.halfcell.data.augment.Augmentation;
import dev.halfcell.data.augment.Augmentations;
import dev.halfcell.nn.Cell;
import dev.halfcell.op.precision.CastOverflow;
import dev.halfcell.optim.GradientClip;
import dev.halfcell.optim.Optimizer;
import dev.halfcell.optim.ParameterOptimizer;
import dev.halfcell.tensor.ArgumentException;
import dev.halfcell.tensor.DType;
import dev.halfcell.tensor.TensorSpec;
import dev.halfcell.train.Accumulation;
import dev.halfcell.train.StepRules;
import dev.halfcell.train.diagnosis.Trap;
import dev.halfcell.zoo.NetworkDefinition;
import dev.halfcell.zoo.Networks;
import dev.halfcell.zoo.RunSchedule;
import dev.halfcell.zoo.TrainingDefaults;
import dev.halfcell.zoo.data.DataSetDefinition;
import dev.halfcell.zoo.data.DataSplit;
import dev.halfcell.zoo.data.SyntheticData;
import dev.halfcell.zoo.job.TrainingSpecification.AccumulationSpecification;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * What a specification comes to: the network, the optimizer and the options that a train cell
 * takes. What is not said is as the level and the recipe have it. Each part throws a {@link
 * dev.halfcell.tensor.ArgumentException} where what is said of it makes no sense.
 */
public record Assembly(JobSpecification job) {
  private static final TrainingDefaults RECIPE_OF_CELLS =
      new TrainingDefaults(64, 5, 0.01, 0.9, 0, RunSchedule.CONSTANT);

  /** The level: O2 unless another is asked for. */
  public Level level() {
    return job.precision().level().orElse(Level.O2);
  }

  /** What parameters are kept in. */
  public DType storage() {
    PrecisionOptions options = options().precision();
    return options.numerics().halfParameters() ? options.half() : DType.FP32;
  }

  /** The network with what it is trained on and how. */
  public NetworkDefinition network() {
    NetworkSpecification said = job.network().orElseThrow();
    NetworkDefinition network =
        said.name().map(Networks::named).orElseGet(() -> ofCells(said.cells()));
    return job.dataset().isSynthetic()
        ? network.on(
            SyntheticData.inPlaceOf(network.data(), network.sample(), options().run().seed()))
        : network;
  }

  private NetworkDefinition ofCells(List<CellSpecification> cells) {
    DataSetDefinition data =
        DataSets.named(
            job.dataset().name().filter(_ -> !job.dataset().isSynthetic()).orElse(DataSets.USUAL));
    List<Integer> shape = job.dataset().config().shape();
    TensorSpec sample =
        shape.isEmpty()
            ? data.sample()
            : TensorSpec.of(DType.FP32, Limits.shape("dataset shape", shape));
    CombiningCell.Sequential all = new CombiningCell.Sequential(cells);
    return new NetworkDefinition(
        "cells",
        cells.size() + " cells",
        all::build,
        parameters(all.build()),
        sample,
        data,
        RECIPE_OF_CELLS);
  }

  private static long parameters(Cell network) {
    return network.paths().keySet().stream()
        .flatMap(cell -> cell.parameters().stream())
        .filter(parameter -> parameter.trainable())
        .mapToLong(parameter -> parameter.spec().shape().size())
        .sum();
  }

  /** How batches are read: by so many threads, and with what is done to their images. */
  public Loading loading() {
    return Loading.direct()
        .workers(job.resources().loaderWorkers().orElse(Resources.USUAL_WORKERS))
        .change(change(augmentations()));
  }

  /**
   * What it is trained and tested on. Tests see each image as it is, but for augmentations that
   * draw nothing.
   *
   * @param choice as {@link DataSetDefinition#open} takes it
   */
  public DataSplit openData(Optional<String> choice) {
    return network().openData(choice).testing(testing());
  }

  /** What is done to the image of each sample that is tested on: what draws nothing. */
  public SampleChange testing() {
    return change(augmentations().stream().filter(each -> !each.random()).toList());
  }

  private SampleChange change(List<Augmentation> done) {
    return done.isEmpty()
        ? SampleChange.none()
        : Augmentations.of(done, List.of(network().sample()), options().run().seed());
  }

  private List<Augmentation> augmentations() {
    return job.dataset().config().augmentations().stream()
        .map(AugmentationSpecification::augmentation)
        .toList();
  }

  /** Samples in a batch. */
  public int batchSize() {
    return job.training().batchSize().orElseGet(() -> network().defaults().batchSize());
  }

  /** How many steps are taken; none where the epochs say it. */
  public OptionalInt steps() {
    return job.training().steps().map(OptionalInt::of).orElse(OptionalInt.empty());
  }

  /** How many epochs are begun with so many samples. */
  public int epochs(int samples) {
    return job.training()
        .steps()
        .map(steps -> Math.ceilDiv(steps, stepsPerEpoch(samples)))
        .or(() -> job.training().epochs())
        .orElseGet(() -> network().defaults().epochs());
  }

  private int stepsPerEpoch(int samples) {
    return accumulation().steps(Math.ceilDiv(samples, batchSize()));
  }

  /** The optimizer, whose schedule spans the run with so many samples. */
  public Optimizer optimizer(int samples) {
    TrainingDefaults recipe = network().defaults();
    ParameterOptimizer usual = job.training().optimizer().optimizer(recipe);
    double rate = job.training().optimizer().learningRate().orElse(recipe.learningRate());
    long whole = (long) epochs(samples) * stepsPerEpoch(samples);
    ArgumentException.require(
        steps().isPresent() || whole <= Integer.MAX_VALUE,
        "/training/epochs",
        "at most " + Integer.MAX_VALUE + " steps in all",
        whole);
    int steps = steps().orElse((int) whole);
    ParameterOptimizer moving = usual.withLearningRate(schedule().over(steps, rate));
    return clip().<Optimizer>map(moving::clip).orElse(moving);
  }

  RunSchedule schedule() {
    return job.training()
        .schedule()
        .map(RunSchedule::new)
        .orElseGet(() -> network().defaults().schedule());
  }

  private Optional<GradientClip> clip() {
    TrainingSpecification.ClipSpecification clip = job.training().clip();
    return clip.norm().map(GradientClip::byNorm).or(() -> clip.value().map(GradientClip::byValue));
  }

  Accumulation accumulation() {
    AccumulationSpecification said = job.training().accumulation();
    return new Accumulation(
        said.microBatches().orElse(1),
        said.onOverflow().orElse(Accumulation.OnOverflow.DROP_WINDOW));
  }

  /** The options of the train cell, but for the backend. */
  public AmpOptions options() {
    AmpOptions options = numerics(lists(AmpOptions.defaults()));
    if (job.precision().lossScale().said()) {
      options = options.lossScale(job.precision().lossScale().rule(options.precision().half()));
    }
    return options
        .accumulation(accumulation())
        .rules(this::rules)
        .seed(job.training().seed().orElse(options.run().seed()))
        .diagnosis(diagnosis());
  }

  private AmpOptions lists(AmpOptions options) {
    PrecisionChoices said = job.precision().options();
    AmpOptions with =
        options.lists(
            lists ->
                lists
                    .allow(said.allow().toArray(String[]::new))
                    .deny(said.deny().toArray(String[]::new))
                    .promote(said.promote().toArray(String[]::new)));
    for (Map.Entry<String, PrecisionSpecification.PartSpecification> part :
        job.precision().parts().entrySet()) {
      with = with.part(part.getKey(), part.getValue().dtype());
    }
    return with;
  }

  private AmpOptions numerics(AmpOptions options) {
    PrecisionChoices said = job.precision().options();
    AmpOptions with =
        options
            .castOverflow(said.castOverflow().orElse(CastOverflow.INF))
            .stochasticRounding(said.stochasticRounding().orElse(false))
            .halfParameters(said.halfParameters().orElse(false))
            .acceptSwamping(said.acceptSwamping().orElse(false))
            .stableStatistics(said.stableStatistics().orElse(false));
    with = partials(with, said.partials());
    with = job.precision().half().map(with::half).orElse(with);
    with = said.keepBatchNormFp32().map(with::keepBatchNormFp32).orElse(with);
    return said.castModelType().map(with::castModelType).orElse(with);
  }

  private static AmpOptions partials(
      AmpOptions options, PrecisionChoices.PartialsSpecification said) {
    AmpOptions with = said.everywhere().map(options::partials).orElse(options);
    for (Map.Entry<String, DType> cells : said.cells().entrySet()) {
      with = with.partials(cells.getKey(), cells.getValue());
    }
    return with;
  }

  private StepRules rules(StepRules usual) {
    PrecisionChoices said = job.precision().options();
    StepRules rules =
        usual
            .overflow(said.overflowPolicy().map(OverflowPolicies::named).orElse(usual.overflow()))
            .nanLossIsOverflow(said.nanLossIsOverflow().orElse(usual.nanLossIsOverflow()))
            .maxConsecutiveOverflows(
                said.maxConsecutiveOverflows().orElse(usual.maxConsecutiveOverflows()))
            .maxHopelessSteps(said.maxHopelessSteps().orElse(usual.maxHopelessSteps()));
    return job.training().ema().map(rules::ema).orElse(rules);
  }

  private Diagnosis diagnosis() {
    PrecisionChoices said = job.precision().options();
    Diagnosis trapped =
        said.fpExceptions().isEmpty()
            ? Diagnosis.off()
            : Diagnosis.off().stoppingAt(said.fpExceptions().toArray(Trap[]::new));
    Diagnosis named = said.diagnose().orElse(false) ? trapped.naming() : trapped;
    return said.demotion()
        .map(rule -> named.demoting(new Demotion(rule.after(), rule.within())))
        .orElse(named);
  }
}
