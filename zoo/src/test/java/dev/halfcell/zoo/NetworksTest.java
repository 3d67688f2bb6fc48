package dev.halfcell.zoo;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.halfcell.tensor.ArgumentException;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class NetworksTest {
  @Test
  void eachIsFoundByItsNameAndBuiltAnew() {
    for (NetworkDefinition network : Networks.all()) {
      assertEquals(network.name(), Networks.named(network.name()).name());
      assertNotSame(network.build(), network.build());
    }
  }

  @Test
  void leNet5TakesTheSamplesOfItsDataSet() {
    NetworkDefinition network = Networks.named("lenet5");
    assertEquals(
        network.sample(), network.data().open(Optional.of("embedded")).train().sample().getFirst());
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
    assertEquals("one of lenet5", thrown.problem().expected());
  }

  @ParameterizedTest
  @CsvSource({"kitten, sitting, 3", "abc, abc, 0", "'', abc, 3", "abc, '', 3", "ab, ba, 2"})
  void distanceCountsTheLettersToChange(String from, String to, int distance) {
    assertEquals(distance, Spelling.distance(from, to));
  }
}
