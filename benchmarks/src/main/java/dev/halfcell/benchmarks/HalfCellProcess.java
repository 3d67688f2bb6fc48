package dev.halfcell.benchmarks;

import dev.halfcell.amp.AmpOptions;
import dev.halfcell.amp.TrainStepCell;
import dev.halfcell.amp.precision.Level;
import dev.halfcell.backend.Backend;
import dev.halfcell.backend.Backends;
import dev.halfcell.data.Batch;
import dev.halfcell.tensor.DType;
import dev.halfcell.tensor.TensorScope;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;

/** Times HalfCell's training step and prints the {@link Measurement}. */
public final class HalfCellProcess {
  private static final double NANOSECONDS = 1e6;

  private HalfCellProcess() {}

  /** Takes NETWORK BATCH LEVEL HALF DEVICE WARMUP STEPS. */
  public static void main(String... arguments) {
    Workload workload = new Workload(arguments[0], Integer.parseInt(arguments[1]));
    Level level = Level.of(arguments[2]);
    DType half = DType.valueOf(arguments[3]);
    int warmup = Integer.parseInt(arguments[5]);
    int steps = Integer.parseInt(arguments[6]);
    try (Backend backend = Backends.open(arguments[4]);
        TrainStepCell train =
            workload.train(level, AmpOptions.defaults().half(half).backend(backend));
        TensorScope scope = TensorScope.open()) {
      Measurement measured = measure(train, workload.data(scope), warmup, steps);
      System.out.println(Json.lines().writeValueAsString(measured));
    }
  }

  private static Measurement measure(TrainStepCell train, Batch batch, int warmup, int steps) {
    List<Double> losses = new ArrayList<>();
    List<Double> milliseconds = new ArrayList<>();
    for (int step = 0; step < warmup + steps; step++) {
      long begin = System.nanoTime();
      losses.add(train.run(batch).loss());
      milliseconds.add((System.nanoTime() - begin) / NANOSECONDS);
    }
    return new Measurement(
        losses,
        milliseconds.subList(warmup, milliseconds.size()),
        OptionalLong.of(train.loop().report(batch.signature()).activationBytes()),
        versions(train.backend()));
  }

  private static Map<String, String> versions(Backend backend) {
    Map<String, String> versions = new HashMap<>(backend.versions());
    versions.put("java", Runtime.version().toString());
    return versions;
  }
}
