package dev.halfcell.cli;

import dev.halfcell.amp.precision.Explanation;
import dev.halfcell.backend.Backend;
import dev.halfcell.backend.Backends;
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
          + " batch size of the network's recipe. The memory is all that a training process on the"
          + " whole data set holds at most."
    },
    mixinStandardHelpOptions = true)
final class ExplainCommand implements Callable<Integer> {
  private final Console console;

  @Mixin private NetworkArgument network = new NetworkArgument();

  @Mixin private PrecisionOptions precision = new PrecisionOptions();

  @Option(
      names = "--device",
      paramLabel = "cpu|reference|auto",
      description =
          "Say too where this device keeps a dtype without computing in it. Default: auto, which"
              + " plans the memory.")
  private Optional<String> device;

  @Option(names = "--json", description = "Print the plan as a JSON object.")
  private boolean json;

  ExplainCommand(Console console) {
    this.console = console;
  }

  @Override
  public Integer call() {
    JobSpecification specification =
        precision.over(JobSpecification.of(network.network().name())).resolved();
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
      if (device.isPresent()) {
        throw e;
      }
      return told(plan, Optional.empty(), "memory: not estimated. " + e.problem().message());
    }
    try (Backend backend = opened) {
      Explanation told = device.isPresent() ? plan.on(backend.capabilities()) : plan;
      if (!plan.runsOn(backend.capabilities())) {
        return told(told, Optional.empty(), "");
      }
      MemoryEstimate memory = memory(specification, backend);
      return told(
          told, Optional.of(memory), "memory of a run on " + backend.name() + ": " + memory.text());
    }
  }

  /** What a device refuses has no memory on it. */
  private String told(Explanation plan, Optional<MemoryEstimate> memory, String line) {
    if (json) {
      return ExplanationJson.of(plan, memory, memory.isEmpty() ? line : "");
    }
    return plan.text() + line + (line.isEmpty() ? "" : "\n");
  }

  private static MemoryEstimate memory(JobSpecification specification, Backend backend) {
    DataSetDefinition.Size samples = new Assembly(specification).network().data().size();
    return TrainingJob.of(specification, backend, samples.train()).memory(samples);
  }

  private static Explanation explained(Assembly parts) {
    NetworkDefinition definition = parts.network();
    int rows = definition.defaults().batchSize();
    List<TensorSpec> inputs =
        Stream.of(definition.sample(), TensorSpec.of(DType.INT64))
            .map(part -> part.as(part.shape().behind(rows)))
            .toList();
    return Explanation.of(
        definition.withLoss(), inputs, parts.level(), parts.options().precision());
  }
}
