package dev.halfcell.amp.precision;

import dev.halfcell.op.precision.LossScale;
import dev.halfcell.tensor.ArgumentException;
import dev.halfcell.tensor.DType;
import dev.halfcell.tensor.Problem;
import java.util.Arrays;

/**
 * How much of a network runs in half. Batch normalisation's arithmetic and statistics, the loss,
 * parameters and optimizer are FP32 at every level. Source: MindSpore, amp.build_train_network,
 * levels O0 to O3 and auto.
 */
public enum Level {
  /** FP32 throughout. */
  O0,
  /**
   * Half where it pays (convolutions, dense layers), FP32 where it hurts, the widest input
   * elsewhere.
   */
  O1,
  /** Half, except normalisations and single ops that need FP32. */
  O2,
  /** Half everywhere; a normalisation reads and writes half and computes in FP32. */
  O3,
  /** Each op by its class: as O1, but no class of cells counts. */
  AUTO;

  /** The level of this name, in upper or lower case and with nothing around it. */
  public static Level of(String name) {
    return Arrays.stream(values())
        .filter(level -> level.label().equalsIgnoreCase(name))
        .findFirst()
        .orElseThrow(
            () ->
                new ArgumentException(
                    new Problem(
                        "level",
                        "",
                        "O0, O1, O2, O3 or auto",
                        "'" + name + "'",
                        "It is the letter O.")));
  }

  /** The name, as it is written in options and reports. */
  public String label() {
    return this == AUTO ? "auto" : name();
  }

  /**
   * The level of NNabla's {@code type_config} of a context: "half" is O2, "float" is O0. Source:
   * NNabla, "Mixed precision training".
   */
  public static Level ofTypeConfig(String typeConfig) {
    return switch (typeConfig) {
      case "half" -> O2;
      case "float" -> O0;
      default ->
          throw new ArgumentException(
              new Problem(
                  "type_config",
                  "",
                  "half or float",
                  "'" + typeConfig + "'",
                  "Name a level: O0, O1, O2 or O3."));
    };
  }

  /**
   * The loss scale that is used unless another is asked for: BF16 has the range of FP32 and needs
   * none.
   */
  public LossScale defaultScale(DType half) {
    return switch (this) {
      case O0, O3 -> LossScale.none();
      case O1, O2, AUTO -> half == DType.FP16 ? LossScale.dynamic() : LossScale.none();
    };
  }

  @Override
  public String toString() {
    return label();
  }
}
