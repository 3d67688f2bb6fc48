package dev.halfcell.cpu.kernel;

import java.util.BitSet;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.LongSupplier;

/**
 * The processors of a team's members: each its own while stages run, or none in particular. Linux
 * shares out threads by their weights, and those of a niced process weigh little: it may leave two
 * of them on one processor, where they wait for each other at each stage, beside one that is idle
 * most of the time but has a thread that weighs more (sched(7), sched_setaffinity(2)).
 *
 * <p>Where a processor is not idle most of the time, its member would hold up all others. So each
 * looks how long it waits for its processor; where that is most of the time all are free for some
 * seconds, twice as many each time that it is so again at once.
 *
 * <p>Threads that a bound thread starts are bound as it is, and Java counts the processors of the
 * thread that asks: so the caller of stages is bound while they run and no longer.
 */
final class Affinity {
  /** What a thread knows and chooses of the processors that it runs on. */
  interface CallingThread {
    /** Those that it may run on; none where there are more than can be told. */
    BitSet allowed();

    /** Binds it to these. It stays as it is if none of them is there any more. */
    void allow(BitSet processors);

    /** The nanoseconds that it ever waited for a processor; none where that is not known now. */
    OptionalLong waited();
  }

  private static final Affinity FREE = new Affinity();

  /** A thread that looks for less says little: the system shares out pieces of milliseconds. */
  private static final long LOOK = 100_000_000;

  /** Two members on one processor wait for half of the time each. */
  private static final double CROWDED = 0.6;

  private static final long LEAST_PAUSE = 5_000_000_000L;
  private static final long MOST_PAUSE = 80_000_000_000L;

  private final Optional<CallingThread> system;
  private final LongSupplier clock;
  private final BitSet all;
  private final Member[] members;
  private long pause = LEAST_PAUSE;
  private volatile long freeUntil;
  private volatile boolean paused;

  /** What one thread alone knows of itself. */
  private static final class Member {
    private final BitSet own = new BitSet();
    private boolean bound;
    private boolean watched;
    private long thread;
    private long since;
    private long waited;
  }

  private Affinity() {
    this.system = Optional.empty();
    this.clock = System::nanoTime;
    this.all = new BitSet();
    this.members = new Member[0];
  }

  /** Binds each of the members to one of the processors that the calling thread may run on. */
  Affinity(int size, CallingThread system, LongSupplier clock) {
    this.system = Optional.of(system);
    this.clock = clock;
    this.all = system.allowed();
    this.members = new Member[size];
    int[] processors = all.stream().toArray();
    for (int member = 0; member < size; member++) {
      members[member] = new Member();
      members[member].own.set(processors[member]);
    }
  }

  /** Leaves threads where they are. */
  static Affinity free() {
    return FREE;
  }

  /** What suits this process: a processor for each where it is niced and has as many as members. */
  static Affinity ofProcess(int members, Optional<LinuxThread> system) {
    return system
        .filter(thread -> suits(thread.nice(), members, thread.allowed()))
        .map(thread -> new Affinity(members, thread, System::nanoTime))
        .orElse(FREE);
  }

  /** With fewer members, which processors are best is the system's to say, and changes. */
  static boolean suits(int nice, int members, BitSet allowed) {
    return nice > 0 && members > 1 && members == allowed.cardinality();
  }

  /** A member, the calling thread, is about to work. */
  void begins(int member) {
    system.ifPresent(thread -> begins(members[member], thread));
  }

  private void begins(Member member, CallingThread thread) {
    long now = clock.getAsLong();
    if (member.thread != Thread.currentThread().threadId()) {
      member.thread = Thread.currentThread().threadId();
      member.watched = false; // what another caller has waited says nothing
    }
    if (!free(now) && member.watched && now - member.since >= LOOK) {
      look(member, thread, now);
    }
    if (free(now)) {
      release(member, thread);
      member.watched = false;
    } else {
      bind(member, thread, now);
    }
  }

  private boolean free(long now) {
    return paused && now - freeUntil < 0;
  }

  private static void bind(Member member, CallingThread thread, long now) {
    if (!member.bound) {
      thread.allow(member.own);
      member.bound = true;
    }
    if (!member.watched) {
      watch(member, thread.waited(), now);
    }
  }

  private void look(Member member, CallingThread thread, long now) {
    OptionalLong waited = thread.waited();
    if (waited.isEmpty() || waited.getAsLong() - member.waited > CROWDED * (now - member.since)) {
      crowded(now);
    }
    watch(member, waited, now);
  }

  private static void watch(Member member, OptionalLong waited, long now) {
    member.since = now;
    member.watched = waited.isPresent();
    member.waited = waited.orElse(0);
  }

  /** Another member may have said so at the same time. */
  private synchronized void crowded(long now) {
    if (!free(now)) {
      boolean again = paused && now - freeUntil < pause;
      pause = again ? Math.min(2 * pause, MOST_PAUSE) : LEAST_PAUSE;
      freeUntil = now + pause;
      paused = true;
    }
  }

  /** The calling thread, which works now and then only, has all processors of its team again. */
  void ends(int member) {
    system.ifPresent(thread -> release(members[member], thread));
  }

  private void release(Member member, CallingThread thread) {
    if (member.bound) {
      thread.allow(all);
      member.bound = false;
    }
  }
}
