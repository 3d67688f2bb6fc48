package dev.halfcell.benchmarks;

import dev.halfcell.amp.AmpOptions;
import dev.halfcell.amp.TrainStepCell;
import dev.halfcell.amp.precision.Level;
import dev.halfcell.backend.Backend;
import dev.halfcell.backend.Backends;
import dev.halfcell.data.Batch;
import dev.halfcell.tensor.DType;
import dev.halfcell.tensor.TensorScope;

/** Times how HalfCell compiles a training step, and its steps, and prints {@link FirstSteps}. */
public final class GrowthProcess {
  private GrowthProcess() {}

  /** Takes NETWORK BATCH LEVEL HALF STEPS SECONDS. */
  public static void main(String... arguments) {
    Workload workload = new Workload(arguments[0], Integer.parseInt(arguments[1]));
    Level level = Level.of(arguments[2]);
    DType half = DType.valueOf(arguments[3]);
    Effort effort = new Effort(Integer.parseInt(arguments[4]), Double.parseDouble(arguments[5]));
    try (Backend backend = Backends.open("cpu");
        TrainStepCell train =
            workload.train(level, AmpOptions.defaults().half(half).backend(backend));
        TensorScope scope = TensorScope.open()) {
      Batch batch = workload.data(scope);
      long begin = System.nanoTime();
      var _ = train.loop().report(batch.signature()); // compiles
      double compileMs = (System.nanoTime() - begin) / 1e6;
      Steps steps = Steps.run(() -> train.run(batch).loss(), effort);
      FirstSteps measured = new FirstSteps(compileMs, steps.milliseconds());
      System.out.println(Json.lines().writeValueAsString(measured));
    }
  }
}
