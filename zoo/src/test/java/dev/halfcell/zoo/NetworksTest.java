package dev.halfcell.zoo;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.halfcell.nn.Parameter;
import dev.halfcell.tensor.ArgumentException;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

class NetworksTest {
  @Test
  void eachIsFoundByItsNameAndBuiltAnew() {
    for (NetworkDefinition network : Networks.all()) {
      assertEquals(network.name(), Networks.named(network.name()).name());
      assertNotSame(network.build(), network.build());
    }
  }

  static List<NetworkDefinition> networks() {
    return Networks.all();
  }

  @ParameterizedTest
  @MethodSource("networks")
  void takesTheSamplesThatItsDataSetIsOpenedIn(NetworkDefinition network) {
    assertEquals(
        network.sample(), network.openData(Optional.of("embedded")).train().sample().getFirst());
  }

  @ParameterizedTest
  @MethodSource("networks")
  void hasAsManyParametersAsItsSourceSays(NetworkDefinition network) {
    long parameters =
        network.build().paths().keySet().stream()
            .flatMap(cell -> cell.parameters().stream())
            .filter(Parameter::trainable)
            .mapToLong(parameter -> parameter.spec().size())
            .sum();
    assertEquals(network.parameters(), parameters, network.name());
  }

  @ParameterizedTest
  @CsvSource({"lenet6, lenet5", "LeNet5, lenet5", "lnet, lenet5", "lenet-5, lenet5"})
  void proposesTheNearestName(String wrong, String near) {
    ArgumentException thrown = assertThrows(ArgumentException.class, () -> Networks.named(wrong));
    assertEquals("Did you mean " + near + "?", thrown.problem().fix());
    assertEquals("'" + wrong + "'", thrown.problem().got());
  }

  @Test
  void proposesNothingWhereNothingIsNear() {
    ArgumentException thrown =
        assertThrows(ArgumentException.class, () -> Networks.named("transformer"));
    assertEquals("", thrown.problem().fix());
    assertTrue(thrown.problem().expected().startsWith("one of lenet5, "), thrown.getMessage());
  }

  @ParameterizedTest
  @CsvSource({"kitten, sitting, 3", "abc, abc, 0", "'', abc, 3", "abc, '', 3", "ab, ba, 2"})
  void distanceCountsTheLettersToChange(String from, String to, int distance) {
    assertEquals(distance, Spelling.distance(from, to));
  }
}
