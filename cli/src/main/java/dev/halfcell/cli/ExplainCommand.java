package dev.halfcell.cli;

import dev.halfcell.amp.precision.Explanation;
import dev.halfcell.backend.Backend;
import dev.halfcell.backend.Backends;
import dev.halfcell.backend.PlanReport;
import dev.halfcell.tensor.ArgumentException;
import dev.halfcell.tensor.DType;
import dev.halfcell.tensor.HalfCellException;
import dev.halfcell.tensor.TensorSpec;
import dev.halfcell.zoo.NetworkDefinition;
import dev.halfcell.zoo.data.DataSetDefinition;
import dev.halfcell.zoo.job.Assembly;
import dev.halfcell.zoo.job.JobSpecification;
import dev.halfcell.zoo.run.ExplanationJson;
import dev.halfcell.zoo.run.MemoryEstimate;
import dev.halfcell.zoo.run.TrainingJob;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code halfcell explain}. */
@Command(
    name = "explain",
    description = "Prints the precision plan of a network: a line per cell, with the reason.",
    footer = {
      "",
      "The casts counted are those that a whole training step describes (forward, loss, backward);"
          + " a backend may do several of them at once or inside another kernel. Bytes are for the"
          + " batch size of the network's recipe unless --batch-size says another. The memory is all that a training process on the"
          + " whole data set holds at most."
    },
    mixinStandardHelpOptions = true)
final class ExplainCommand implements Callable<Integer> {
  private final Console console;

  @Mixin private NetworkArgument network = new NetworkArgument();

  @Mixin private PrecisionOptions precision = new PrecisionOptions();

  @Option(
      names = "--device",
      paramLabel = "cpu|gpu|reference|auto",
      description =
          "Say too where this device keeps a dtype without computing in it. Default: auto, which"
              + " plans the memory.")
  private Optional<String> device;

  @Option(
      names = "--plan",
      description =
          "Print the compiled step too, as the device runs it: its tasks with what they fill, read"
              + " and write, their floating-point operations (two for each product that is summed),"
              + " the layouts that they change and the code that computes (with next: samples go"
              + " through it and a later task together); and its memory.")
  private boolean schedule;

  @Option(
      names = "--batch-size",
      paramLabel = "N",
      converter = OptionValues.Count.class,
      description = "Samples in a step. Default: the network's recipe (lenet5: 64).")
  private Optional<Integer> batchSize;

  @Option(names = "--json", description = "Print the plan as a JSON object.")
  private boolean json;

  ExplainCommand(Console console) {
    this.console = console;
  }

  @Override
  public Integer call() {
    JobSpecification named = precision.over(JobSpecification.of(network.network().name()));
    JobSpecification specification =
        batchSize.map(rows -> named.with("/training/batchSize", rows)).orElse(named).resolved();
    Explanation plan = explained(new Assembly(specification));
    console.out().print(told(specification, plan));
    console.out().flush();
    return ExitCode.SUCCESS;
  }

  /** A device that was asked for has to be there; without the usual one there is no estimate. */
  private String told(JobSpecification specification, Explanation plan) {
    Backend opened;
    try {
      opened = Backends.open(device.orElse("auto"));
    } catch (HalfCellException e) {
      if (device.isPresent() || schedule) {
        throw e;
      }
      String unknown = "memory: not estimated. " + e.problem().message();
      return told(plan, Optional.empty(), unknown, Optional.empty());
    }
    try (Backend backend = opened) {
      Explanation told = device.isPresent() ? plan.on(backend.capabilities()) : plan;
      if (!plan.runsOn(backend.capabilities())) {
        requireCompiled(!schedule, backend);
        return told(told, Optional.empty(), "", Optional.empty());
      }
      DataSetDefinition.Size samples = new Assembly(specification).network().data().size();
      TrainingJob job = TrainingJob.of(specification, backend, samples.train());
      MemoryEstimate memory = job.memory(samples);
      return told(
          told,
          Optional.of(memory),
          "memory of a run on " + backend.name() + ": " + memory.text(),
          schedule ? compiled(job, backend) : Optional.empty());
    }
  }

  private static Optional<PlanReport> compiled(TrainingJob job, Backend backend) {
    Optional<PlanReport> compiled = job.planned();
    requireCompiled(compiled.isPresent(), backend);
    return compiled;
  }

  private static void requireCompiled(boolean compiled, Backend backend) {
    ArgumentException.require(
        compiled, "--plan", "a step that is compiled", "one that " + backend.name() + " is not to");
  }

  /** What a device refuses has no memory on it. */
  private String told(
      Explanation plan,
      Optional<MemoryEstimate> memory,
      String line,
      Optional<PlanReport> compiled) {
    if (json) {
      return ExplanationJson.of(plan, memory, memory.isEmpty() ? line : "", compiled);
    }
    return plan.text()
        + line
        + (line.isEmpty() ? "" : "\n")
        + compiled.map(step -> "\n" + new PlanTable(step).text()).orElse("");
  }

  private static Explanation explained(Assembly parts) {
    NetworkDefinition definition = parts.network();
    int rows = parts.batchSize();
    List<TensorSpec> inputs =
        Stream.of(definition.sample(), TensorSpec.of(DType.INT64))
            .map(part -> part.as(part.shape().behind(rows)))
            .toList();
    return Explanation.of(
        definition.withLoss(), inputs, parts.level(), parts.options().precision());
  }
}
