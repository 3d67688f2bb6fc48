package dev.halfcell.amp.config;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.halfcell.amp.AmpOptions;
import dev.halfcell.amp.precision.Level;
import dev.halfcell.op.precision.LogMaxScale;
import dev.halfcell.op.precision.LossScale;
import dev.halfcell.tensor.ArgumentException;
import dev.halfcell.tensor.DType;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class OpenSeq2SeqTest {
  private static PrecisionSettings read(Map<String, ?> keys) {
    return OpenSeq2Seq.settings(keys);
  }

  private static Optional<LossScale> scale(Map<String, ?> keys) {
    return read(keys).options().step().lossScale();
  }

  private static String refused(Map<String, ?> keys) {
    return String.valueOf(assertThrows(ArgumentException.class, () -> read(keys)).getMessage());
  }

  @Test
  void nothingSaidIsFp32() {
    assertEquals(new PrecisionSettings(Level.O0, AmpOptions.defaults()), read(Map.of()));
    assertEquals(Level.O0, read(Map.of("dtype", "float32")).level());
    assertEquals(Level.O0, read(Map.of("dtype", "tf.float32")).level());
  }

  @Test
  void mixedIsO2AndScalesOnlyWhereAskedTo() {
    PrecisionSettings mixed = read(Map.of("dtype", "mixed"));
    assertEquals(Level.O2, mixed.level());
    assertEquals(Optional.of(LossScale.none()), mixed.options().step().lossScale());
  }

  @Test
  void float16HasNoFp32Weights() {
    PrecisionSettings half = read(Map.of("dtype", "float16"));
    assertEquals(Level.O3, half.level());
    assertTrue(half.options().precision().numerics().halfParameters());
    assertFalse(read(Map.of("dtype", "mixed")).options().precision().numerics().halfParameters());
  }

  @ParameterizedTest
  @ValueSource(strings = {"loss_scale", "loss_scaling"})
  void aFixedScaleMayBeWhole(String key) {
    assertEquals(Optional.of(LossScale.fixed(512)), scale(Map.of("dtype", "mixed", key, 512)));
    assertEquals(Optional.of(LossScale.fixed(0.5)), scale(Map.of("dtype", "mixed", key, 0.5)));
  }

  @ParameterizedTest
  @ValueSource(strings = {"loss_scale", "loss_scaling", "automatic_loss_scaling"})
  void algorithmsAreNamedInAnyCaseAndWithBlanks(String key) {
    assertEquals(
        Optional.of(LossScale.openSeq2SeqBackoff()),
        scale(Map.of("dtype", "mixed", key, " BackOff ")));
    assertEquals(Optional.of(LossScale.logMax()), scale(Map.of("dtype", "mixed", key, "Log Max")));
  }

  @Test
  void parametersOfBackoffReplaceItsOwn() {
    Map<String, ?> params =
        Map.of("scale_min", 2, "scale_max", 1024, "step_factor", 4.0, "step_window", 10);
    LossScale rule =
        scale(Map.of("dtype", "mixed", "loss_scaling", "Backoff", "loss_scaling_params", params))
            .orElseThrow();
    assertEquals(
        LossScale.openSeq2SeqBackoff().from(1024).bounds(2, 1024).factor(4).window(10), rule);
    assertEquals(1024, rule.start().scale(), "it starts at its ceiling");
  }

  @Test
  void parametersOfLogMaxReplaceItsOwn() {
    Map<String, ?> params =
        Map.of(
            "scale_min",
            2,
            "scale_max",
            64,
            "log_max",
            15,
            "beta1",
            0.5,
            "beta2",
            0.25,
            "overflow_std_dev",
            1);
    assertEquals(
        Optional.of(new LogMaxScale(2, 64, 15, 0.5, 0.25, 1)),
        scale(Map.of("dtype", "mixed", "loss_scaling", "LogMax", "loss_scaling_params", params)));
  }

  @Test
  void encoderAndDecoderHaveDtypesOfTheirOwn() {
    PrecisionSettings settings =
        read(
            Map.of(
                "dtype", "mixed",
                "encoder_params", Map.of("dtype", "float16"),
                "decoder_params", Map.of("dtype", "float32"),
                "loss_params", Map.of("dtype", "float32")));
    assertEquals(
        AmpOptions.defaults().part("encoder", DType.FP16).part("decoder", DType.FP32).precision(),
        settings.options().precision());
  }

  @Test
  void iterSizeIsAWindowOfMicroBatches() {
    assertEquals(4, read(Map.of("iter_size", 4)).options().step().accumulation().microBatches());
  }

  @Test
  void whatDoesNotExistOrContradictsItselfIsAnErrorThatNamesTheKey() {
    String mixed = "mixed";
    assertTrue(refused(Map.of("dtypes", mixed)).contains("dtypes"));
    assertTrue(refused(Map.of("dtype", "float64")).contains("'float64'"));
    assertTrue(refused(Map.of("dtype", 16)).contains("16"));
    assertTrue(refused(Map.of("loss_scale", 8)).contains("'mixed'"));
    assertTrue(
        refused(Map.of("dtype", mixed, "loss_scale", 8, "automatic_loss_scaling", "LogMax"))
            .contains("two"));
    assertTrue(refused(Map.of("dtype", mixed, "loss_scaling", "Backof")).contains("'Backof'"));
    assertTrue(refused(Map.of("dtype", mixed, "loss_scale", "8")).contains("'8'"));
    assertTrue(refused(Map.of("dtype", mixed, "automatic_loss_scaling", 8)).contains("8"));
    assertTrue(refused(Map.of("dtype", mixed, "loss_scale", Double.NaN)).contains("NaN"));
    assertTrue(
        refused(Map.of("dtype", mixed, "loss_scaling_params", Map.of("scale_min", 1)))
            .contains("loss_scaling_params"));
    assertTrue(
        refused(
                Map.of(
                    "dtype", mixed, "loss_scale", 8, "loss_scaling_params", Map.of("beta1", 0.1)))
            .contains("a fixed scale"));
    assertTrue(
        refused(
                Map.of(
                    "dtype",
                    mixed,
                    "loss_scaling",
                    "Backoff",
                    "loss_scaling_params",
                    Map.of("beta1", 0.1)))
            .contains("loss_scaling_params.beta1"));
    assertTrue(
        refused(Map.of("loss_params", Map.of("dtype", "float16"))).contains("loss_params.dtype"));
    assertTrue(refused(Map.of("encoder_params", "float16")).contains("a map"));
    assertTrue(
        refused(Map.of("encoder_params", Map.of("layers", 3))).contains("encoder_params.layers"));
    assertTrue(refused(Map.of("iter_size", 1.5)).contains("whole"));
  }
}
