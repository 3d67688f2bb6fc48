package dev.halfcell.cli;

import dev.halfcell.amp.AmpOptions;
import dev.halfcell.backend.Backend;
import dev.halfcell.op.precision.LossScale;
import dev.halfcell.train.OverflowPolicy;
import dev.halfcell.zoo.TrainingDefaults;
import dev.halfcell.zoo.data.DataSplit;
import dev.halfcell.zoo.run.RunFolder;
import dev.halfcell.zoo.run.Settings;
import dev.halfcell.zoo.run.TrainingJob;
import java.nio.file.Path;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.util.Optional;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** What {@code train} can be told. Options that are not given follow the network's own recipe. */
final class TrainOptions {
  @Mixin private PrecisionOptions precision = new PrecisionOptions();

  @Option(
      names = "--device",
      paramLabel = "cpu|reference|auto",
      defaultValue = "auto",
      description =
          "What computes: oneDNN on the processor (cpu), or plain Java, slow and exact"
              + " (reference). Default: auto, the fastest there is, never reference.")
  private String device;

  @Option(
      names = "--data",
      paramLabel = "DIR|embedded",
      description =
          "The folder with the data set, or the sample that comes with HalfCell. Default: the"
              + " first place where it is found; `halfcell list` names them.")
  private Optional<String> data;

  @Option(
      names = "--epochs",
      paramLabel = "N",
      converter = OptionValues.Count.class,
      description = "How often each sample is seen. Default: the network's recipe (lenet5: 5).")
  private Optional<Integer> epochs;

  @Option(
      names = "--batch-size",
      paramLabel = "N",
      converter = OptionValues.Count.class,
      description = "Samples in a step. Default: the network's recipe (lenet5: 64).")
  private Optional<Integer> batchSize;

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
  private Optional<String> lossScale;

  @Option(
      names = "--overflow-policy",
      paramLabel = "skip|retry[:N]|fail",
      defaultValue = "skip",
      converter = OptionValues.Policy.class,
      description =
          "What becomes of a batch whose step overflows: it is left out, tried again at most N"
              + " times (10) at the loss scale that has fallen, or ends the training. Default:"
              + " skip.")
  private OverflowPolicy overflowPolicy;

  @Option(
      names = "--ema",
      paramLabel = "D",
      converter = OptionValues.Ema.class,
      description =
          "Keep a moving average of each parameter, of which a step keeps the share D, such as"
              + " 0.999, and test with it too. Default: none is kept.")
  private Optional<Double> ema;

  @Option(
      names = "--seed",
      paramLabel = "N",
      defaultValue = "1",
      converter = OptionValues.Seed.class,
      description =
          "What all random numbers follow from: the same seed gives the same model, bit for bit,"
              + " on the same machine. Default: 1.")
  private long seed;

  @Option(
      names = "--out",
      paramLabel = "DIR",
      description = "A new or empty folder to write into. Default: runs/<time>-<network>-<level>.")
  private Optional<Path> out;

  /** The job that these options describe, on this backend and so many samples. */
  TrainingJob job(Backend backend, int samples) {
    TrainingDefaults recipe = precision.network().defaults();
    int rounds = epochs.orElse(recipe.epochs());
    int batch = batchSize.orElse(recipe.batchSize());
    AmpOptions options =
        averaged(precision.options())
            .seed(seed)
            .backend(backend)
            .accumulation(optimizer.accumulate())
            .overflowPolicy(overflowPolicy)
            .diagnosis(diagnosis.diagnosis());
    return new TrainingJob(
        precision.network(),
        optimizer.optimizer(recipe, rounds, Math.ceilDiv(samples, batch)),
        precision.level(),
        lossScale
            .map(name -> options.lossScale(LossScale.named(name, precision.half())))
            .orElse(options),
        new Settings.Length(rounds, batch));
  }

  private AmpOptions averaged(AmpOptions options) {
    return ema.map(options::ema).orElse(options);
  }

  /** The name of what is to compute. */
  String device() {
    return device;
  }

  /** Reads the data set. */
  DataSplit openData() {
    return precision.network().openData(data);
  }

  /** Makes the folder to write into. */
  RunFolder openFolder() {
    return out.map(RunFolder::at)
        .orElseGet(
            () ->
                RunFolder.fresh(
                    Path.of("runs"),
                    LocalDateTime.now(ZoneId.systemDefault()),
                    precision.network().name(),
                    precision.level().label()));
  }
}
