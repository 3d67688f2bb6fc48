package dev.halfcell.amp.config;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.halfcell.amp.AmpOptions;
import dev.halfcell.amp.precision.Level;
import dev.halfcell.op.precision.LossScale;
import dev.halfcell.tensor.ArgumentException;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class NNablaTest {
  private static String refused(Map<String, ?> keys) {
    return String.valueOf(
        assertThrows(ArgumentException.class, () -> NNabla.settings(keys)).getMessage());
  }

  @Test
  void aTypeIsALevel() {
    AmpOptions none = AmpOptions.defaults();
    assertEquals(new PrecisionSettings(Level.O0, none), NNabla.settings(Map.of()));
    assertEquals(
        new PrecisionSettings(Level.O0, none), NNabla.settings(Map.of("type_config", "float")));
    assertEquals(
        new PrecisionSettings(Level.O2, none), NNabla.settings(Map.of("type_config", "half")));
  }

  @Test
  void argumentsOfTheUpdaterAreThoseOfItsRule() {
    PrecisionSettings settings =
        NNabla.settings(Map.of("type_config", "half", "scale", 16, "scaling_factor", 4, "N", 100));
    assertEquals(
        Optional.of(LossScale.nnabla().from(16).factor(4).window(100)),
        settings.options().step().lossScale());
    assertEquals(
        Optional.of(LossScale.nnabla().window(100)),
        NNabla.settings(Map.of("N", 100, "accum_grad", 1)).options().step().lossScale());
  }

  @ParameterizedTest
  @ValueSource(strings = {"weight_decay", "comm", "grads", "clear_buffer"})
  void whatBelongsToAnotherPartIsNamed(String key) {
    assertTrue(refused(Map.of("type_config", "half", key, true)).contains(key));
  }

  @Test
  void whatDoesNotExistIsAnErrorThatNamesTheKey() {
    assertTrue(refused(Map.of("type", "half")).contains("type"));
    assertTrue(refused(Map.of("type_config", "bf16")).contains("'bf16'"));
    assertTrue(refused(Map.of("accum_grad", 2)).contains("learning rate"));
    assertTrue(refused(Map.of("N", 0)).contains("window"));
    assertTrue(refused(Map.of("scale", "8")).contains("'8'"));
    Map<String, Object> empty = new HashMap<>();
    empty.put("scale", null);
    assertTrue(refused(empty).contains("none"));
  }
}
