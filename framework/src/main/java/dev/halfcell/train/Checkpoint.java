package dev.halfcell.train;

import java.nio.file.Path;
import java.util.Locale;
import java.util.Map;

/**
 * The whole state of a run as a safetensors file: parameters, statistics, optimizer slots, counters
 * and the loss scale, each under its kind and path, such as {@code slot:/conv1/weight/velocity},
 * and the seed.
 */
public final class Checkpoint {
  private static final String FORMAT = "halfcell-checkpoint-1";
  private static final NamedValues VALUES =
      new NamedValues(
          "Checkpoint",
          _ -> true,
          false,
          variable ->
              variable.kind().name().toLowerCase(Locale.ROOT) + ":" + variable.path().text());

  private Checkpoint() {}

  /** Writes all values of {@code state}. */
  public static void write(TrainState state, Path file) {
    VALUES.write(state, file, Map.of("format", FORMAT, "seed", String.valueOf(state.seed())));
  }

  /**
   * Reads them into {@code state}, all or none. The state has to be of the same network and
   * optimizer; its seed stays its own.
   *
   * @throws dev.halfcell.tensor.DataException where the file has not just the values of this state
   */
  public static void read(TrainState state, Path file) {
    VALUES.read(state, file, FORMAT);
  }
}
