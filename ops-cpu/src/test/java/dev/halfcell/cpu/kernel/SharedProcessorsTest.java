package dev.halfcell.cpu.kernel;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.BitSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

/** Who was seen last on whose processor. */
final class SharedProcessorsTest {
  private int here;

  private final SharedProcessors processors = new SharedProcessors(3, () -> here);

  private void see(int member, int processor) {
    here = processor;
    processors.see(member);
  }

  @Test
  void membersShareWhereTheyWereSeenLast() {
    see(0, 5);
    see(1, 0);
    see(2, 5);
    assertTrue(processors.shares(0));
    assertFalse(processors.shares(1));
    assertTrue(processors.shares(2));
    see(2, 0);
    assertFalse(processors.shares(0));
    assertTrue(processors.shares(1));
  }

  @Test
  void nobodySharesBeforeTheOthersWereSeen() {
    see(0, 0);
    assertFalse(processors.shares(0));
    assertFalse(processors.shares(1));
  }

  @Test
  void whatIsNotKnownIsNotShared() {
    for (int member = 0; member < 3; member++) {
      see(member, -1);
    }
    for (int member = 0; member < 3; member++) {
      assertFalse(processors.shares(member));
    }
  }

  @EnabledOnOs(OS.LINUX)
  @Test
  void theSystemTellsTheProcessorOfAThread() {
    LinuxThread system = LinuxThread.ofSystem().orElseThrow();
    BitSet all = system.allowed();
    try {
      for (int processor : all.stream().toArray()) {
        BitSet one = new BitSet();
        one.set(processor);
        system.allow(one);
        assertEquals(processor, system.processor());
      }
    } finally {
      system.allow(all);
    }
  }
}
