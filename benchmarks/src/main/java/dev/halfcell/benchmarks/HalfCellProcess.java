package dev.halfcell.benchmarks;

import dev.halfcell.amp.AmpOptions;
import dev.halfcell.amp.TrainStepCell;
import dev.halfcell.amp.precision.Level;
import dev.halfcell.backend.Backend;
import dev.halfcell.backend.Backends;
import dev.halfcell.backend.PlanReport;
import dev.halfcell.data.Batch;
import dev.halfcell.tensor.DType;
import dev.halfcell.tensor.TensorScope;
import dev.halfcell.zoo.host.Memory;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Supplier;

/** Times HalfCell's training step and prints the {@link Measurement}. */
public final class HalfCellProcess {
  private HalfCellProcess() {}

  /** Takes NETWORK BATCH LEVEL HALF DEVICE STEPS SECONDS. */
  public static void main(String... arguments) {
    Workload workload = new Workload(arguments[0], Integer.parseInt(arguments[1]));
    Level level = Level.of(arguments[2]);
    DType half = DType.valueOf(arguments[3]);
    Effort effort = new Effort(Integer.parseInt(arguments[5]), Double.parseDouble(arguments[6]));
    try (Backend backend = Backends.open(arguments[4]);
        TrainStepCell train =
            workload.train(level, AmpOptions.defaults().half(half).backend(backend));
        TensorScope scope = TensorScope.open()) {
      Measurement measured = measure(train, workload.data(scope), effort);
      System.out.println(Json.lines().writeValueAsString(measured));
    }
  }

  private static Measurement measure(TrainStepCell train, Batch batch, Effort effort) {
    Supplier<Optional<Batch>> next = () -> Optional.of(batch);
    Steps steps = Steps.run(() -> train.run(batch, next).loss(), effort);
    PlanReport plan = train.loop().report(batch.signature());
    return new Measurement(
        steps.losses(),
        steps.milliseconds(),
        new Bytes(
            OptionalLong.of(plan.activationBytes()),
            OptionalLong.of(plan.peakBytes()),
            Memory.peakResident()),
        versions(train.backend()));
  }

  private static Map<String, String> versions(Backend backend) {
    Map<String, String> versions = new HashMap<>(backend.versions());
    versions.put("java", Runtime.version().toString());
    return versions;
  }
}
