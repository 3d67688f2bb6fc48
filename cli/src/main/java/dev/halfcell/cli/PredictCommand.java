package dev.halfcell.cli;

import dev.halfcell.cli.text.Figures;
import dev.halfcell.zoo.run.Prediction;
import dev.halfcell.zoo.run.RunModel;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code halfcell predict}. */
@Command(
    name = "predict",
    description = "Says of images in files which class a run's network takes them for.",
    footer = {
      "",
      "A FILE is a PNG picture, or an array [N, C, H, W], [C, H, W] or [H, W] that numpy.save wrote."
          + " Pixels (PNG, uint8) are scaled as those of the run's data set; floating numbers are"
          + " taken as they are. Images have the data set's size or the network's."
    },
    mixinStandardHelpOptions = true)
final class PredictCommand implements Callable<Integer> {
  private final Console console;

  @Mixin private ModelOptions model = new ModelOptions();

  @Parameters(index = "1..*", arity = "1..*", paramLabel = "FILE", description = "The images.")
  private List<Path> files = List.of();

  @Option(
      names = "--top",
      paramLabel = "K",
      defaultValue = "3",
      converter = OptionValues.Count.class,
      description = "How many of the likeliest classes are named. Default: 3.")
  private int most;

  @Option(names = "--json", description = "Print a line of JSON for each image.")
  private boolean json;

  PredictCommand(Console console) {
    this.console = console;
  }

  @Override
  public Integer call() {
    try (RunModel run = model.open()) {
      for (Path file : files) {
        run.predict(file, most, found -> print(file, found));
        console.out().flush();
      }
    }
    return ExitCode.SUCCESS;
  }

  private void print(Path file, Prediction found) {
    console
        .out()
        .println(
            json
                ? found.json(file.toString())
                : file + "[" + found.sample() + "]: " + guesses(found));
  }

  private static String guesses(Prediction found) {
    return found.guesses().stream()
        .map(guess -> guess.text() + " " + Figures.percent(guess.probability()))
        .collect(Collectors.joining(", "));
  }
}
