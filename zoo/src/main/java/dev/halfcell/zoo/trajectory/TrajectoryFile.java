package dev.halfcell.zoo.trajectory;

import dev.halfcell.op.update.Schedule;
import dev.halfcell.optim.Momentum;
import dev.halfcell.optim.Optimizer;
import dev.halfcell.tensor.DType;
import dev.halfcell.tensor.DataException;
import dev.halfcell.tensor.Problem;
import dev.halfcell.tensor.Tensor;
import dev.halfcell.tensor.TensorSpec;
import dev.halfcell.verify.GoldenFile;
import dev.halfcell.zoo.NetworkDefinition;
import dev.halfcell.zoo.Networks;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;

/** What a golden file of a trajectory says. */
record TrajectoryFile(GoldenFile file) {
  private static final Pattern OPTIMIZER =
      Pattern.compile("SGD lr=(\\S+) momentum=(\\S+) l2=(\\S+)");

  /** The only preparation of images that there is here, from some image on. */
  private static final Pattern DATA =
      Pattern.compile(
          "fashion-mnist train images (\\d{1,9})\\.\\.; zero-pad 28 to 32 after"
              + " \\(x/255-0\\.2860\\)/0\\.3530 with pad value 0; channels (\\d)");

  /** Whether the zoo has the network, and images and optimizer are such as there are here. */
  boolean known() {
    return file.attribute("net").flatMap(Networks::find).filter(this::takesTheImages).isPresent()
        && matcher("optimizer", OPTIMIZER).matches();
  }

  private boolean takesTheImages(NetworkDefinition network) {
    Matcher data = matcher("data", DATA);
    return data.matches()
        && network
            .sample()
            .equals(TensorSpec.of(DType.FP32, Integer.parseInt(data.group(2)), 32, 32));
  }

  private Matcher matcher(String attribute, Pattern pattern) {
    return pattern.matcher(file.attribute(attribute).orElse(""));
  }

  /** The trajectory of a file that is {@link #known}. */
  Trajectory read() {
    int batchSize = file.integer("batch");
    require(batchSize >= 1, "a batch of at least 1", batchSize);
    return new Trajectory(
        Networks.named(file.required("net")),
        optimizer(),
        batchSize,
        Integer.parseInt(group("data", DATA, 1)),
        start(),
        steps("losses"),
        steps("grad_norms"));
  }

  private Optimizer optimizer() {
    double rate = number(group("optimizer", OPTIMIZER, 1));
    double momentum = number(group("optimizer", OPTIMIZER, 2));
    double decay = number(group("optimizer", OPTIMIZER, 3));
    return new Momentum(new Schedule.Constant(rate), momentum, false, decay);
  }

  private String group(String attribute, Pattern pattern, int group) {
    Matcher matcher = matcher(attribute, pattern);
    require(matcher.matches(), "a known " + attribute, file.attribute(attribute).orElse("none"));
    return matcher.group(group);
  }

  private double number(String text) {
    try {
      return Double.parseDouble(text);
    } catch (NumberFormatException wrong) {
      throw new DataException(problem("numbers as settings of the optimizer", text), wrong);
    }
  }

  private List<Tensor> start() {
    return IntStream.iterate(0, i -> i + 1)
        .mapToObj(i -> String.format(Locale.ROOT, "param.%03d", i))
        .takeWhile(file::has)
        .map(file::tensor)
        .toList();
  }

  private List<Double> steps(String name) {
    Tensor values = file.tensor(name);
    int steps = file.integer("steps");
    require(values.spec().size() == steps, steps + " " + name, values.spec());
    return Arrays.stream(values.toArray()).boxed().toList();
  }

  private void require(boolean holds, String expected, Object got) {
    if (!holds) {
      throw new DataException(problem(expected, got));
    }
  }

  private Problem problem(String expected, Object got) {
    return new Problem(
        "trajectory", file.name(), expected, String.valueOf(got), "Get the file again.");
  }
}
