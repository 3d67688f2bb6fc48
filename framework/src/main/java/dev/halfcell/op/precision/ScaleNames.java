package dev.halfcell.op.precision;

import dev.halfcell.tensor.ArgumentException;
import dev.halfcell.tensor.DType;
import java.math.BigDecimal;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SequencedMap;
import java.util.stream.Stream;

/** The rules of a loss scale by name. */
final class ScaleNames {
  private ScaleNames() {}

  private static SequencedMap<String, LossScale> named(DType half) {
    SequencedMap<String, LossScale> rules = new LinkedHashMap<>();
    rules.put("none", LossScale.none());
    rules.put("dynamic", LossScale.dynamic());
    rules.put("backoff", LossScale.openSeq2SeqBackoff());
    rules.put("logmax", LossScale.logMax(half));
    rules.put("mindspore", LossScale.mindspore());
    rules.put("pytorch", LossScale.pytorch());
    rules.put("apex", LossScale.apex());
    rules.put("keras", LossScale.keras());
    rules.put("tfkeras", LossScale.tfKeras());
    rules.put("nnabla", LossScale.nnabla());
    rules.put("deepspeed", LossScale.deepSpeed(2));
    rules.put("deepspeed-fused", LossScale.deepSpeedFused());
    return rules;
  }

  static List<String> all() {
    return List.copyOf(named(DType.FP16).sequencedKeySet());
  }

  static LossScale rule(String text, DType half) {
    LossScale rule = named(half).get(text);
    return rule != null ? rule : fixed(text);
  }

  private static LossScale fixed(String text) {
    try {
      double scale = Double.parseDouble(text);
      if ((float) scale > 0 && Float.isFinite((float) scale)) {
        return LossScale.fixed(scale);
      }
      throw unknown(text);
    } catch (NumberFormatException e) {
      throw unknown(text);
    }
  }

  private static ArgumentException unknown(String text) {
    return new ArgumentException(
        "loss scale",
        "a finite number above 0 in fp32, or one of " + String.join(", ", all()),
        "'" + text + "'");
  }

  static String of(LossScale rule) {
    if (rule instanceof FixedScale(double scale, boolean drops) && drops) {
      return BigDecimal.valueOf(scale).stripTrailingZeros().toPlainString();
    }
    return Stream.of(DType.FP16, DType.BF16)
        .flatMap(half -> named(half).entrySet().stream())
        .filter(entry -> entry.getValue().equals(rule))
        .map(Map.Entry::getKey)
        .findFirst()
        .orElseGet(rule::toString);
  }
}
