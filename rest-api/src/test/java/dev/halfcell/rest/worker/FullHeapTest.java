package dev.halfcell.rest.worker;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

/** When a heap counts as full: looked at each quarter of a second. */
final class FullHeapTest {
  private static final long QUARTER = 250;
  private static final long MOST = 512;

  private final FullHeap heap = new FullHeap();
  private long milliseconds = 77;
  private long collected = 1_000;

  /** Whether it is full at the end of so many looks, each behind so long a collection. */
  private boolean looks(int times, long collecting, long used) {
    boolean full = false;
    for (int i = 0; i < times; i++) {
      milliseconds += QUARTER;
      collected += collecting;
      full = heap.look(milliseconds * 1_000_000, collected, used, MOST);
    }
    return full;
  }

  @Test
  void itIsFullWhereThreeSecondsOnEndWentIntoCollections() {
    assertFalse(looks(1, 0, MOST));
    assertFalse(looks(11, 170, MOST));
    assertTrue(looks(1, 170, MOST));
  }

  @Test
  void itIsNotWhereATrainingGetsOn() {
    assertFalse(looks(400, 160, MOST));
  }

  @Test
  void itIsNotWhereAFourthIsFree() {
    assertFalse(looks(400, QUARTER, MOST - MOST / 4 - 1));
    assertTrue(looks(13, QUARTER, MOST - MOST / 4));
  }

  @Test
  void aPauseInBetweenBeginsItAnew() {
    assertFalse(looks(12, QUARTER, MOST));
    assertFalse(looks(1, 0, MOST));
    assertFalse(looks(11, QUARTER, MOST));
    assertTrue(looks(1, QUARTER, MOST));
  }

  /** What was collected before the first look counts for nothing. */
  @Test
  void theFirstLookSaysNothing() {
    collected = 1_000_000;
    assertFalse(looks(1, 0, MOST));
  }
}
