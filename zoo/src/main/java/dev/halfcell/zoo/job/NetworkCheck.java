package dev.halfcell.zoo.job;

import dev.halfcell.amp.AmpOptions;
import dev.halfcell.amp.precision.PrecisionPlan;
import dev.halfcell.backend.TracingExecutor;
import dev.halfcell.data.augment.Augmentations;
import dev.halfcell.nn.Cell;
import dev.halfcell.nn.Promised;
import dev.halfcell.nn.Recording;
import dev.halfcell.nn.WithLossCell;
import dev.halfcell.op.precision.LossScale;
import dev.halfcell.tensor.ArgumentException;
import dev.halfcell.tensor.DType;
import dev.halfcell.tensor.HalfCellException;
import dev.halfcell.tensor.Problem;
import dev.halfcell.tensor.Shape;
import dev.halfcell.tensor.Tensor;
import dev.halfcell.tensor.TensorSpec;
import dev.halfcell.train.PrecisionRules;
import dev.halfcell.train.Recipe;
import dev.halfcell.train.TrainStep;
import dev.halfcell.zoo.NetworkDefinition;
import java.util.List;
import java.util.Optional;

/** Finds what is wrong with a network before anything runs: by describing a batch, as Java does. */
final class NetworkCheck {
  private static final String NETWORK = "/network";

  private final JobSpecification job;
  private final Mistakes mistakes;

  NetworkCheck(JobSpecification job, Mistakes mistakes) {
    this.job = job;
    this.mistakes = mistakes;
  }

  /** The network; none where there are mistakes in what is said of it and of its data. */
  Optional<NetworkDefinition> network() {
    if (job.network().isEmpty()) {
      mistakes.add(NETWORK, "a network", "none", "Say {\"name\": \"lenet5\"}, or a list of cells.");
      return Optional.empty();
    }
    job.dataset()
        .name()
        .ifPresent(name -> mistakes.at("/dataset/name", () -> DataSets.require(name)));
    CellList cells = new CellList(job.network().get().cells());
    cells.check(mistakes);
    if (!mistakes.none()) {
      return Optional.empty();
    }
    Assembly assembly = new Assembly(job);
    Optional<NetworkDefinition> network =
        mistakes.at(at(), () -> Optional.of(assembly.network()), Optional.empty());
    network.ifPresent(this::requireData);
    return network.filter(_ -> mistakes.none());
  }

  private String at() {
    return job.network().orElseThrow().name().isPresent() ? NETWORK + "/name" : NETWORK;
  }

  private void requireData(NetworkDefinition network) {
    String data = network.data().name();
    if (!job.dataset().name().orElse(data).equals(data)) {
      mistakes.add("/dataset/name", data, "'" + job.dataset().name().orElseThrow() + "'", "");
    }
    List<Integer> shape = job.dataset().config().shape();
    if (!shape.isEmpty()) {
      mistakes.at("/dataset/config/shape", () -> Limits.shape("dataset", shape));
    }
    if (mistakes.none() && !shape.isEmpty()) {
      mistakes.at("/dataset/config/shape", () -> requireShape(network, shape));
    }
    if (mistakes.none()) {
      requireAugmentations(network.sample());
    }
  }

  private void requireAugmentations(TensorSpec sample) {
    List<AugmentationSpecification> said = job.dataset().config().augmentations();
    for (int i = 0; i < said.size(); i++) {
      AugmentationSpecification one = said.get(i);
      mistakes.at(
          Pointer.child("/dataset/config/augmentations", i),
          () -> Augmentations.of(List.of(one.augmentation()), List.of(sample), 0));
    }
  }

  private static void requireShape(NetworkDefinition network, List<Integer> shape) {
    Shape wanted = Shape.of(Limits.shape("dataset", shape));
    ArgumentException.require(
        network.sample().shape().equals(wanted),
        Mistakes.SUBJECT,
        network.sample().shape() + ", as " + network.name() + " takes it",
        wanted);
    network.data().requireForm(network.sample());
  }

  /** Whether a batch goes through the network and comes out as logits of the data's classes. */
  boolean fits(Assembly assembly) {
    NetworkDefinition network = assembly.network();
    Cell net = network.build();
    try {
      Tensor logits = described(net, network.sample(), assembly.batchSize());
      Shape wanted = Shape.of(assembly.batchSize(), network.data().classes());
      if (!logits.shape().equals(wanted) && !isWider(logits.shape(), wanted)) {
        mistakes.add(
            NETWORK,
            "logits " + wanted + " for the classes of " + network.data().name(),
            logits.shape().toString(),
            "Let the last cell yield as many.");
      }
    } catch (HalfCellException e) {
      Problem problem = e.problem();
      mistakes.add(
          new CellList(job.network().orElseThrow().cells()).pointer(problem.where()),
          problem.subject() + ": " + problem.expected(),
          problem.got(),
          problem.fix());
    }
    if (mistakes.none()) {
      mistakes.at("/precision", () -> planned(net, assembly));
      mistakes.at("/precision/options/demotion", () -> demoted(net, assembly));
      mistakes.at("/precision/options", () -> stepped(net, assembly));
    }
    return mistakes.none();
  }

  /** A network of the zoo may tell more classes apart than the data has, as ImageNet's do. */
  private boolean isWider(Shape logits, Shape wanted) {
    return job.network().orElseThrow().name().isPresent()
        && logits.rank() == 2
        && logits.dim(1) >= wanted.dim(1);
  }

  private static Tensor described(Cell net, TensorSpec sample, int batch) {
    TracingExecutor tracing = new TracingExecutor(Promised.of(net));
    Tensor x = tracing.input(sample.as(sample.shape().behind(batch)));
    Tensor samples = tracing.input(TensorSpec.of(DType.INT64, batch));
    return new Recording(tracing, tracing, net, samples, true).call(net, x);
  }

  /** What a step refuses before anything runs: options that contradict each other. */
  private static void stepped(Cell net, Assembly assembly) {
    AmpOptions options = assembly.options();
    LossScale scale =
        options
            .step()
            .lossScale()
            .orElseGet(() -> assembly.level().defaultScale(options.precision().half()));
    ArgumentException.require(
        scale.dropsOverflows() || !options.run().diagnosis().firstOffender(),
        "diagnose",
        "a loss scale that refuses steps that overflow",
        scale.name());
    var _ =
        new TrainStep(
            net,
            PrecisionRules.none(),
            scale,
            Recipe.standard(
                net,
                assembly.job().training().optimizer().optimizer(assembly.network().defaults())),
            options.step().accumulation(),
            options.step().rules());
  }

  private static void demoted(Cell net, Assembly assembly) {
    assembly
        .options()
        .run()
        .diagnosis()
        .demotion()
        .ifPresent(rule -> rule.require(planned(net, assembly)));
  }

  private static PrecisionPlan planned(Cell net, Assembly assembly) {
    return PrecisionPlan.of(
        new WithLossCell(net, NetworkDefinition.loss()),
        assembly.level(),
        assembly.options().precision());
  }
}
