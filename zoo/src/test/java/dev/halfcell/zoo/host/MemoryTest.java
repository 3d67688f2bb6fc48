package dev.halfcell.zoo.host;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

final class MemoryTest {
  @Test
  void readsThePeakInBytes() {
    String status = "VmPeak:\t 9000 kB\nVmHWM:\t    1234 kB\nVmRSS:\t 1000 kB\n";
    assertEquals(OptionalLong.of(1234 * 1024), Memory.peak(status));
  }

  @Test
  void knowsNoPeakWhereNoneIsSaid() {
    assertEquals(OptionalLong.empty(), Memory.peak("VmRSS:\t 1000 kB\n"));
  }

  @Test
  void theMachineHoldsMoreThanTheHeap() {
    assertTrue(Memory.total() > Runtime.getRuntime().totalMemory());
  }
}
