package dev.halfcell.benchmarks;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

final class StepsTest {
  private final AtomicInteger taken = new AtomicInteger();

  @Test
  void asManyAreTakenAsThereShallBe() {
    Steps steps = Steps.run(taken::incrementAndGet, new Effort(4, 60));
    assertEquals(List.of(1.0, 2.0, 3.0, 4.0), steps.losses());
    assertEquals(4, steps.milliseconds().size());
    assertTrue(steps.milliseconds().stream().allMatch(ms -> ms >= 0 && ms < 60_000));
  }

  @Test
  void noneBeginsBehindTheSecondsButTheFirstThree() {
    assertEquals(3, Steps.run(taken::incrementAndGet, new Effort(300, 0)).losses().size());
  }
}
