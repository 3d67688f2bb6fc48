package dev.halfcell.cpu.kernel;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.util.BitSet;
import java.util.Optional;

/**
 * The processors of a team's members: each its own while stages run, or none in particular. Linux
 * shares out threads by their weights, and those of a niced process weigh little: it may leave two
 * of them on one processor, where they wait for each other at each stage, beside one that is idle
 * most of the time but has a thread that weighs more (sched(7), sched_setaffinity(2)).
 *
 * <p>Threads that a bound thread starts are bound as it is, and Java counts the processors of the
 * thread that asks: so the caller of stages is bound while they run and no longer.
 */
final class Affinity {
  private static final Affinity FREE = new Affinity(new int[0], Optional.empty());

  private final int[] processors;
  private final Optional<Calls> calls;
  private final MemorySegment[] own;
  private final MemorySegment all;

  private Affinity(int[] processors, Optional<Calls> calls) {
    this.processors = processors;
    this.calls = calls;
    this.own = new MemorySegment[processors.length];
    BitSet every = new BitSet();
    for (int member = 0; member < processors.length; member++) {
      BitSet one = new BitSet();
      one.set(processors[member]);
      every.set(processors[member]);
      own[member] = Calls.mask(one);
    }
    this.all = Calls.mask(every);
  }

  /** Leaves threads where they are. */
  static Affinity free() {
    return FREE;
  }

  /** What suits this process: a processor for each where it is niced and has as many as members. */
  static Affinity ofProcess(int members) {
    Optional<Calls> calls = Calls.ofSystem();
    return calls.isPresent() && suits(calls.get().nice(), members, calls.get().allowed())
        ? each(members)
        : FREE;
  }

  /** With fewer members, which processors are best is the system's to say, and changes. */
  static boolean suits(int nice, int members, BitSet allowed) {
    return nice > 0 && members > 1 && members == allowed.cardinality();
  }

  /** Binds each of the members to one of the processors that the calling thread may use. */
  static Affinity each(int members) {
    Calls calls = Calls.ofSystem().orElseThrow();
    return new Affinity(calls.allowed().stream().limit(members).toArray(), Optional.of(calls));
  }

  /** Binds the calling thread. It stays where it is if its processor has been taken away since. */
  void bind(int member) {
    calls.ifPresent(system -> system.allow(own[member % processors.length]));
  }

  /** Lets the calling thread have all processors of its team. */
  void release() {
    calls.ifPresent(system -> system.allow(all));
  }

  /** Functions of Linux, for the calling thread. */
  private record Calls(
      MethodHandle getAffinity, MethodHandle setAffinity, MethodHandle getPriority) {
    private static final int WORDS = 16; // of glibc's cpu_set_t
    private static final int PROCESS = 0;

    /** None where the system is another one. */
    static Optional<Calls> ofSystem() {
      if (!System.getProperty("os.name", "").equals("Linux")) {
        return Optional.empty();
      }
      FunctionDescriptor affinity = FunctionDescriptor.of(JAVA_INT, JAVA_INT, JAVA_LONG, ADDRESS);
      return Optional.of(
          new Calls(
              link("sched_getaffinity", affinity),
              link("sched_setaffinity", affinity),
              link("getpriority", FunctionDescriptor.of(JAVA_INT, JAVA_INT, JAVA_INT))));
    }

    private static MethodHandle link(String name, FunctionDescriptor signature) {
      Linker linker = Linker.nativeLinker();
      return linker.downcallHandle(linker.defaultLookup().findOrThrow(name), signature);
    }

    static MemorySegment mask(BitSet processors) {
      MemorySegment mask = Arena.ofAuto().allocate(MemoryLayout.sequenceLayout(WORDS, JAVA_LONG));
      long[] words = processors.toLongArray();
      MemorySegment.copy(words, 0, mask, JAVA_LONG, 0, words.length);
      return mask;
    }

    /** Those that the calling thread may use; none where there are more than the mask holds. */
    BitSet allowed() {
      MemorySegment mask = mask(new BitSet());
      try {
        int result = (int) getAffinity.invokeExact(0, mask.byteSize(), mask);
        return result < 0 ? new BitSet() : BitSet.valueOf(mask.toArray(JAVA_LONG));
      } catch (Throwable e) {
        throw new IllegalStateException("sched_getaffinity(2) throws nothing", e);
      }
    }

    void allow(MemorySegment mask) {
      try {
        var _ = (int) setAffinity.invokeExact(0, mask.byteSize(), mask);
      } catch (Throwable e) {
        throw new IllegalStateException("sched_setaffinity(2) throws nothing", e);
      }
    }

    int nice() {
      try {
        return (int) getPriority.invokeExact(PROCESS, 0);
      } catch (Throwable e) {
        throw new IllegalStateException("getpriority(2) throws nothing", e);
      }
    }
  }
}
