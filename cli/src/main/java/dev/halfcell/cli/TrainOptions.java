package dev.halfcell.cli;

import dev.halfcell.tensor.ArgumentException;
import dev.halfcell.zoo.data.SyntheticData;
import dev.halfcell.zoo.job.JobSpecification;
import dev.halfcell.zoo.run.RunFolder;
import dev.halfcell.zoo.run.Settings;
import java.nio.file.Path;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.util.Optional;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** What {@code train} can be told: what is trained, and where and how on this machine. */
final class TrainOptions {
  @Mixin private SpecificationOptions run = new SpecificationOptions();

  @Option(
      names = "--data",
      paramLabel = "DIR|embedded|synthetic",
      description =
          "The folder with the data set, or the sample that comes with HalfCell; or synthetic, which"
              + " is short for the key /dataset/name: random numbers of the network's own shape, to"
              + " time it with --steps and without a data set. Default: the first place where the data"
              + " is found; `halfcell list` names them.")
  void data(String choice) {
    if (choice.equals(SyntheticData.NAME)) {
      run.say(SpecificationOptions.SYNTHETIC, choice);
    } else {
      data = Optional.of(choice);
    }
  }

  private Optional<String> data = Optional.empty();

  @Option(
      names = "--resume",
      paramLabel = "RUN",
      description =
          "Go on with the run in this folder from its last checkpoint, to the same bits on the same"
              + " machine. No flags but --data, --profile and --quiet go with it.")
  private Optional<Path> resume;

  @Option(
      names = "--out",
      paramLabel = "DIR",
      description = "A new or empty folder to write into. Default: runs/<time>-<network>-<level>.")
  private Optional<Path> out;

  /**
   * The run that is to go on; none where one is to begin.
   *
   * @throws ArgumentException where flags would make another run of it
   */
  Optional<RunFolder> resumed() {
    ArgumentException.require(
        resume.isEmpty() || !run.says(SpecificationOptions.SYNTHETIC),
        "--data",
        "a folder or embedded beside --resume, for the run's folder says whether data is synthetic",
        SyntheticData.NAME);
    boolean alone = out.isEmpty() && run.nothing();
    ArgumentException.require(
        resume.isEmpty() || alone,
        "--resume",
        "no flags but --data, --profile and --quiet, for the run is described in its folder",
        "others");
    return resume.map(RunFolder::new);
  }

  /** What is to be trained, and how. */
  JobSpecification specification() {
    return run.specification();
  }

  /** Where the data is. */
  Optional<String> data() {
    return data;
  }

  /** Makes the folder to write into. */
  RunFolder openFolder(Settings settings) {
    return out.map(RunFolder::at)
        .orElseGet(
            () ->
                RunFolder.fresh(
                    Path.of("runs"),
                    LocalDateTime.now(ZoneId.systemDefault()),
                    settings.network(),
                    settings.level().label()));
  }
}
