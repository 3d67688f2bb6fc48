package dev.halfcell.zoo.job;

import dev.halfcell.amp.precision.Level;
import dev.halfcell.tensor.DType;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * How much of the network runs in 16 bits, and how.
 *
 * @param level how much
 * @param half the 16-bit dtype
 * @param lossScale what the loss is multiplied by before the backward pass
 * @param parts the dtype of parts of the network, by name
 * @param options all else
 */
public record PrecisionSpecification(
    @Key("How much runs in half.") Optional<Level> level,
    @Key(
            value = "The 16-bit dtype.",
            words = {"fp16", "bf16"})
        Optional<DType> half,
    @Key("What the loss is multiplied by before the backward pass.")
        LossScaleSpecification lossScale,
    @Key(value = "The dtype of parts of the network, by name or path.", most = 256)
        Map<String, PartSpecification> parts,
    @Key("All else of precision.") PrecisionChoices options) {
  public PrecisionSpecification {
    parts = Collections.unmodifiableMap(new LinkedHashMap<>(parts));
  }

  /**
   * A part of the network.
   *
   * @param dtype what it computes in
   */
  @ShortForm("dtype")
  public record PartSpecification(
      @Key(
              value = "What it computes in.",
              words = {"fp32", "fp16", "bf16"})
          DType dtype) {}
}
