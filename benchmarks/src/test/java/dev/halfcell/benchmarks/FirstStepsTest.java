package dev.halfcell.benchmarks;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.halfcell.tensor.ArgumentException;
import java.util.List;
import org.junit.jupiter.api.Test;

final class FirstStepsTest {
  @Test
  void theFirstHalfWarmsUp() {
    assertEquals(3, new FirstSteps(1, List.of(100.0, 9.0, 3.0, 2.0, 4.0)).settledMs());
  }

  @Test
  void networksOfOtherDepthsAreTimedAloneAndNotBesidePeers() {
    assertEquals("resnet56", TimedNetwork.named("resnet56").name());
    assertThrows(ArgumentException.class, () -> TimedNetwork.compared("resnet56"));
  }

  /**
   * Of 6N + 2 layers, two convolutions of a stage take half, and the first one has one gradient.
   */
  @Test
  void depthCostsWhatItsLayersDo() {
    double shallow = new Workload("resnet14", 1).flops();
    double deep = new Workload("resnet56", 1).flops();
    assertEquals(53.0 / 11, deep / shallow, 0.1);
  }
}
