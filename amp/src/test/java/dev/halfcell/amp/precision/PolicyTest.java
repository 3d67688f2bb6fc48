package dev.halfcell.amp.precision;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.halfcell.tensor.ArgumentException;
import dev.halfcell.tensor.DType;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The names of Keras and jmp, and what of them there is not. */
final class PolicyTest {
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "mixed_float16           | O2   | FP16",
        "mixed_bfloat16          | O2   | BF16",
        "float32                 | O0   | FP16",
        "f32                     | O0   | FP16",
        "p=f32,c=f16,o=f32       | O2   | FP16",
        "params=float32, compute=bfloat16, output=float32 | O2 | BF16",
        "c=half,o=full           | O2   | FP16",
        "p=f32                   | O0   | FP16"
      })
  void aNameIsALevelAndOptions(String text, Level level, DType half) {
    Policy policy = Policy.of(text);
    assertEquals(level, policy.level());
    assertEquals(half, policy.on(PrecisionOptions.defaults()).half());
  }

  @Test
  void thePartsThatAreLeftOutFollowAsInJmp() {
    ArgumentException output = assertThrows(ArgumentException.class, () -> Policy.of("c=f16"));
    assertEquals("o=fp16", output.problem().got());
    ArgumentException parameters = assertThrows(ArgumentException.class, () -> Policy.of("half"));
    assertEquals("p=fp16", parameters.problem().got());
    assertEquals(
        "To keep them in half, ask for halfParameters(true) beside the policy.",
        parameters.problem().fix());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "mixed_float8",
        "f64",
        "p=f32,c=f16,o=f16",
        "p=f16,c=f16,o=f32",
        "p=f32,p=f32",
        "x=f32",
        "c=f16,,o=f32",
        "c=f16=f32",
        "c=,o=f32"
      })
  void whatThereIsNotIsAnError(String text) {
    ArgumentException e = assertThrows(ArgumentException.class, () -> Policy.of(text));
    assertEquals("policy", e.problem().subject());
  }

  @Test
  void anOptionThatContradictsThePolicyIsAnError() {
    PrecisionOptions cast = PrecisionOptions.defaults().castModelType(DType.FP16);
    assertThrows(ArgumentException.class, () -> Policy.mixedBfloat16().on(cast));
    PrecisionOptions half = PrecisionOptions.defaults().half(DType.FP16);
    assertThrows(ArgumentException.class, () -> Policy.mixedBfloat16().on(half));
    assertEquals(half, Policy.mixedFloat16().on(half));
    assertEquals(half, Policy.float32().on(half));
    assertThrows(ArgumentException.class, () -> new Policy(DType.FP32, DType.FP64, DType.FP32));
  }
}
