package dev.halfcell.train;

import dev.halfcell.backend.Variable;
import dev.halfcell.data.SafeTensors;
import dev.halfcell.disk.Disk;
import dev.halfcell.tensor.Tensor;
import dev.halfcell.tensor.TensorScope;
import dev.halfcell.tensor.TensorSpec;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.SequencedMap;

/**
 * A trained network as a safetensors file: parameters and running statistics in FP32 under dotted
 * names such as {@code conv1.weight}, the same at every level and where a state keeps parameters in
 * half, which are then rounded to nearest as they are read. The file holds no time and no path, so
 * that equal values are equal bytes.
 */
public final class Weights {
  private static final FileFormat FORMAT = new FileFormat("halfcell-weights", 1);
  private static final NamedValues VALUES =
      new NamedValues("Weights", Weights::belongs, true, Weights::name);

  private Weights() {}

  private static boolean belongs(Variable variable) {
    return switch (variable.kind()) {
      case PARAMETER, STATISTIC -> true;
      case SLOT,
          AVERAGE,
          APPLIED,
          SEEN,
          REFUSED,
          SCALE,
          PLATEAU,
          WATCHED,
          WINDOW,
          WINDOW_COUNT,
          DEMOTION ->
          false;
    };
  }

  /** Writes the parameters and statistics of {@code state}. */
  public static void write(TrainState state, Path file) {
    write(state, Disk.local(), file);
  }

  /** The same on that disk. */
  public static void write(TrainState state, Disk disk, Path file) {
    VALUES.write(state, disk, file, Map.of(FileFormat.NOTE, FORMAT.text()));
  }

  /**
   * Reads them into {@code state}, all or none; also out of a {@link Checkpoint}, which may be one
   * of another level, half or optimizer. Moving averages of a state that has taken no step start
   * from them.
   *
   * @throws dev.halfcell.tensor.DataException where the file has not just the values of this
   *     network, with all differences
   */
  public static void read(TrainState state, Path file) {
    try (TensorScope scope = TensorScope.open()) {
      SafeTensors contents = SafeTensors.read(file, scope);
      boolean whole = Checkpoint.FORMAT.is(contents);
      if (!whole) {
        FORMAT.require(contents, file);
      }
      SafeTensors weights = whole ? ofCheckpoint(contents, file, scope) : contents;
      VALUES.read(state, weights, file, new Differences());
      state.startAverages();
    }
  }

  private static SafeTensors ofCheckpoint(SafeTensors contents, Path file, TensorScope scope) {
    SequencedMap<String, Tensor> weights = new LinkedHashMap<>();
    contents
        .tensors()
        .forEach(
            (key, value) -> {
              Variable variable = Checkpoint.variable(key, file);
              if (belongs(variable)) {
                TensorSpec wide = value.spec().as(value.dtype().wide());
                weights.put(name(variable), Tensor.of(scope, wide, value.toArray()));
              }
            });
    return new SafeTensors(weights, contents.metadata());
  }

  /** The name of a parameter or statistic in the file. */
  public static String name(Variable variable) {
    return variable.path().text().substring(1).replace('/', '.');
  }
}
