package dev.halfcell.cli;

import dev.halfcell.zoo.NetworkDefinition;
import dev.halfcell.zoo.job.JobSpecification;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/**
 * What {@code train} and {@code submit} can be told of a run, in a file or by flags, each of which
 * is an alias of one key of a specification.
 */
final class SpecificationOptions {
  static final String SYNTHETIC = "/dataset/name";
  private static final JobSpecification EMPTY = JobSpecification.empty();

  @Parameters(
      index = "0",
      arity = "0..1",
      paramLabel = "NETWORK",
      converter = OptionValues.Network.class,
      description = "The network; `halfcell list` names them all. A --config may name it instead.")
  void network(NetworkDefinition network) {
    keys.say("/network", Map.of("name", network.name()));
  }

  private final SaidKeys keys = new SaidKeys();

  @Mixin private PrecisionOptions precision = new PrecisionOptions();

  @Option(
      names = "--config",
      paramLabel = "FILE",
      description =
          "A specification of the run in JSON or YAML; flags go before what it says. The run"
              + " writes it back as specification.json, with all defaults filled in.")
  private Optional<Path> config;

  @Option(
      names = "--device",
      paramLabel = "cpu|gpu|reference|auto",
      description =
          "What computes: oneDNN on the processor (cpu), an NVIDIA GPU (gpu), or plain Java, slow"
              + " and exact (reference). Default: auto, which is cpu.")
  void device(String name) {
    keys.say("/device", name);
  }

  @Option(
      names = "--threads",
      paramLabel = "N",
      converter = OptionValues.Count.class,
      description =
          "How many threads compute, on which the bits of the result depend. Default: as many as"
              + " there are processors.")
  void threads(int count) {
    keys.say("/resources/threads", count);
  }

  @Option(
      names = "--memory-limit",
      paramLabel = "SIZE",
      converter = OptionValues.Size.class,
      description =
          "The most memory that the run may hold, in bytes or as 512M or 6G; one that needs more is"
              + " refused before it starts. Default: what the machine has.")
  void memoryLimit(long bytes) {
    keys.say("/resources/memoryLimit", bytes);
  }

  @Option(
      names = "--epochs",
      paramLabel = "N",
      converter = OptionValues.Count.class,
      description = "How often each sample is seen. Default: the network's recipe (lenet5: 5).")
  void epochs(int count) {
    keys.say("/training/epochs", count);
  }

  @Option(
      names = "--steps",
      paramLabel = "N",
      converter = OptionValues.Count.class,
      description = "How many steps are taken, instead of --epochs.")
  void steps(int count) {
    keys.say("/training/steps", count);
  }

  @Option(
      names = "--batch-size",
      paramLabel = "N",
      converter = OptionValues.Count.class,
      description = "Samples in a step. Default: the network's recipe (lenet5: 64).")
  void batchSize(int samples) {
    keys.say("/training/batchSize", samples);
  }

  @Mixin private OptimizerOptions optimizer = new OptimizerOptions();

  @Mixin private DiagnosisOptions diagnosis = new DiagnosisOptions();

  @Option(
      names = "--loss-scale",
      paramLabel = "none|N|NAME",
      converter = OptionValues.ScaleName.class,
      description =
          "What the loss is multiplied by before the backward pass: nothing, a number, or as a"
              + " rule says: dynamic, backoff, logmax, mindspore, pytorch, apex, keras, tfkeras,"
              + " nnabla, deepspeed, deepspeed-fused. Default: dynamic from 65536 at O1, O2 and"
              + " auto with fp16, else none.")
  void lossScale(Object rule) {
    keys.say("/precision/lossScale", rule);
  }

  @Option(
      names = "--overflow-policy",
      paramLabel = "skip|retry[:N]|fail",
      description =
          "What becomes of a batch whose step overflows: it is left out, tried again at most N"
              + " times (10) at the loss scale that has fallen, or ends the training. Default:"
              + " skip.")
  void overflowPolicy(String policy) {
    keys.say("/precision/options/overflowPolicy", policy);
  }

  @Option(
      names = "--ema",
      paramLabel = "D",
      converter = OptionValues.Rate.class,
      description =
          "Keep a moving average of each parameter, of which a step keeps the share D, such as"
              + " 0.999, and test with it too. Default: none is kept.")
  void ema(double decay) {
    keys.say("/training/ema", decay);
  }

  @Option(
      names = "--seed",
      paramLabel = "N",
      converter = OptionValues.Seed.class,
      description =
          "What all random numbers follow from: the same seed gives the same model, bit for bit,"
              + " on the same machine. Default: 1.")
  void seed(long number) {
    keys.say("/training/seed", number);
  }

  @Option(
      names = "--checkpoint-every-steps",
      paramLabel = "N",
      converter = OptionValues.Count.class,
      description = "Save a checkpoint after so many steps too. Default: by time alone.")
  void checkpointSteps(int count) {
    keys.say("/checkpoint/everySteps", count);
  }

  @Option(
      names = "--checkpoint-every-seconds",
      paramLabel = "N",
      converter = OptionValues.Count.class,
      description = "Save a checkpoint after so many seconds. Default: 30.")
  void checkpointSeconds(int count) {
    keys.say("/checkpoint/everySeconds", count);
  }

  @Option(
      names = "--checkpoint-keep",
      paramLabel = "N",
      converter = OptionValues.Count.class,
      description = "How many checkpoints are kept, at least 2. Default: 2.")
  void checkpointKeep(int count) {
    keys.say("/checkpoint/keep", count);
  }

  @Option(
      names = "--loader-workers",
      paramLabel = "N",
      converter = OptionValues.Workers.class,
      description =
          "Threads that read batches ahead of the training; 0 reads each when it is wanted. The"
              + " model is the same with any number. Default: 1.")
  void loaderWorkers(int count) {
    keys.say("/resources/loaderWorkers", count);
  }

  @Option(
      names = "--log",
      paramLabel = "NAME[,NAME]",
      converter = OptionValues.Names.class,
      description =
          "What the steps are written into beside metrics.jsonl: tensorboard, for event files in"
              + " the folder of the run; csv, for a table steps.csv. Default: neither.")
  void log(OptionValues.Names.Listed logs) {
    keys.say("/logs", logs.names());
  }

  /** Another flag has said this. */
  void say(String pointer, Object value) {
    keys.say(pointer, value);
  }

  /** Whether a flag has said something of this key. */
  boolean says(String pointer) {
    return keys.says(pointer);
  }

  /** Whether nothing is said at all. */
  boolean nothing() {
    return config.isEmpty() && said(EMPTY).equals(EMPTY);
  }

  private JobSpecification said(JobSpecification file) {
    return diagnosis.over(optimizer.over(precision.over(keys.over(file))));
  }

  /** What is to be trained, and how. */
  JobSpecification specification() {
    return said(config.map(JobSpecification::read).orElse(EMPTY));
  }
}
