package dev.halfcell.train;

import dev.halfcell.backend.Variable;
import java.nio.file.Path;
import java.util.Map;

/**
 * A trained network as a safetensors file: parameters and running statistics in FP32 under dotted
 * names such as {@code conv1.weight}, the same at every level and where a state keeps parameters in
 * half, which are then rounded to nearest as they are read. The file holds no time and no path, so
 * that equal values are equal bytes.
 */
public final class Weights {
  private static final NamedValues VALUES =
      new NamedValues(
          "Weights",
          variable ->
              switch (variable.kind()) {
                case PARAMETER, STATISTIC -> true;
                case SLOT,
                    AVERAGE,
                    APPLIED,
                    SEEN,
                    REFUSED,
                    SCALE,
                    PLATEAU,
                    WINDOW,
                    WINDOW_COUNT,
                    DEMOTION ->
                    false;
              },
          true,
          Weights::name);

  private Weights() {}

  /** Writes the parameters and statistics of {@code state}. */
  public static void write(TrainState state, Path file) {
    VALUES.write(state, file, Map.of("format", "halfcell-weights-1"));
  }

  /**
   * Reads them into {@code state}, all or none.
   *
   * @throws dev.halfcell.tensor.DataException where the file has not just the values of this
   *     network
   */
  public static void read(TrainState state, Path file) {
    VALUES.read(state, file, "halfcell-weights-1");
  }

  /** The name of a parameter or statistic in the file. */
  public static String name(Variable variable) {
    return variable.path().text().substring(1).replace('/', '.');
  }
}
