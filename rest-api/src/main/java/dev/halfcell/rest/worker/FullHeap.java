package dev.halfcell.rest.worker;

/**
 * Decides whether the Java heap holds too little for what is to be done in it: for three seconds on
 * end at least two thirds of the time went into collections, and three quarters of the heap stayed
 * in use. Java itself throws an error only where a collection leaves nothing free; where it leaves
 * a little, a process may go on for hours and get nowhere. One thread; allocates nothing.
 */
final class FullHeap {
  private static final long NANOSECONDS = 3_000_000_000L;
  private static final long NANOSECONDS_PER_MILLISECOND = 1_000_000;

  private boolean looked;
  private long lastAt;
  private long lastCollected;
  private long fullSince;

  /** Whether so much of a heap is in use that its collections are worth a look. */
  static boolean isNear(long used, long most) {
    return used >= most - most / 4;
  }

  /**
   * Looks once more, some times a second.
   *
   * @param at the time now in nanoseconds
   * @param collected the milliseconds that all collections took until now
   * @param used the bytes of the heap in use
   * @param most the bytes that it may grow to
   */
  boolean look(long at, long collected, long used, long most) {
    boolean busy =
        looked
            && isNear(used, most)
            && 3 * (collected - lastCollected) * NANOSECONDS_PER_MILLISECOND >= 2 * (at - lastAt);
    if (!busy) {
      fullSince = at;
    }
    looked = true;
    lastAt = at;
    lastCollected = collected;
    return busy && at - fullSince >= NANOSECONDS;
  }
}
