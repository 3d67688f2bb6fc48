package dev.halfcell.cli;

import dev.halfcell.zoo.run.RunFolder;
import dev.halfcell.zoo.run.RunModel;
import dev.halfcell.zoo.run.SavedValues;
import java.nio.file.Path;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Which values of which run. */
final class ModelOptions {
  @Parameters(
      index = "0",
      paramLabel = "RUN",
      description = "The folder that `halfcell train` has written into.")
  private Path run = Path.of("");

  @Option(
      names = "--checkpoint",
      paramLabel = "FILE|last",
      converter = OptionValues.Saved.class,
      description =
          "Take the values of this checkpoint; last means the newest. Default: the finished model.")
  private SavedValues values = new SavedValues.Finished();

  @Option(
      names = "--average",
      description = "Take the moving averages of the parameters, which --ema has kept.")
  private boolean average;

  /** Whether moving averages are asked for. */
  boolean averaged() {
    return average;
  }

  /** The network with these values, to be closed by the caller. */
  RunModel open() {
    return RunModel.open(new RunFolder(run), values, average);
  }
}
