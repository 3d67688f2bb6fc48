package dev.halfcell.cpu.kernel;

import java.util.Optional;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.function.IntSupplier;

/**
 * On which processor each member of a team was seen last. A member that waits for one on its own
 * processor holds up what it waits for.
 */
final class SharedProcessors {
  private static final int UNKNOWN = -1;

  private final IntSupplier processor;
  private final AtomicIntegerArray seen;

  /**
   * Nobody was seen yet.
   *
   * @param processor the number of the processor that the calling thread runs on, below 0 where
   *     that is not known
   */
  SharedProcessors(int members, IntSupplier processor) {
    this.processor = processor;
    this.seen = new AtomicIntegerArray(members);
    for (int member = 0; member < members; member++) {
      seen.set(member, UNKNOWN);
    }
  }

  /** Those of this system; unknown where it does not tell. */
  static SharedProcessors of(int members, Optional<LinuxThread> system) {
    return system
        .map(thread -> new SharedProcessors(members, thread::processor))
        .orElseGet(() -> new SharedProcessors(members, () -> UNKNOWN));
  }

  /** A member, the calling thread, is here. */
  void see(int member) {
    int here = processor.getAsInt();
    if (seen.getPlain(member) != here) { // its own, which it alone writes: others often read it
      seen.setOpaque(member, here);
    }
  }

  /** Whether another member was seen last where this one, the calling thread, was. */
  boolean shares(int member) {
    int here = seen.getPlain(member);
    for (int other = 0; other < seen.length(); other++) {
      if (other != member && here >= 0 && seen.getOpaque(other) == here) {
        return true;
      }
    }
    return false;
  }
}
