package dev.halfcell.cpu.kernel;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.BitSet;
import java.util.Optional;
import java.util.OptionalLong;

/** What Linux lets the calling thread know and choose of the processors that it runs on. */
final class LinuxThread implements Affinity.CallingThread {
  /** Nanoseconds on a processor, nanoseconds of waiting for one, times that it got one. */
  private static final Path TIMES = Path.of("/proc/thread-self/schedstat");

  private static final int WORDS = 16; // of glibc's cpu_set_t
  private static final int PROCESS = 0;

  private final MethodHandle getAffinity;
  private final MethodHandle setAffinity;
  private final MethodHandle getPriority;
  private final MethodHandle getProcessor;

  private LinuxThread() {
    FunctionDescriptor affinity = FunctionDescriptor.of(JAVA_INT, JAVA_INT, JAVA_LONG, ADDRESS);
    getAffinity = link("sched_getaffinity", affinity);
    setAffinity = link("sched_setaffinity", affinity);
    getPriority = link("getpriority", FunctionDescriptor.of(JAVA_INT, JAVA_INT, JAVA_INT));
    getProcessor =
        link("sched_getcpu", FunctionDescriptor.of(JAVA_INT), Linker.Option.critical(false));
  }

  /** None where the system is another one, or keeps no times. */
  static Optional<LinuxThread> ofSystem() {
    return Files.isReadable(TIMES) ? Optional.of(new LinuxThread()) : Optional.empty();
  }

  private static MethodHandle link(
      String name, FunctionDescriptor signature, Linker.Option... options) {
    Linker linker = Linker.nativeLinker();
    return linker.downcallHandle(linker.defaultLookup().findOrThrow(name), signature, options);
  }

  @Override
  public BitSet allowed() {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment mask = arena.allocate(JAVA_LONG, WORDS);
      int result = (int) getAffinity.invokeExact(0, mask.byteSize(), mask);
      return result < 0 ? new BitSet() : BitSet.valueOf(mask.toArray(JAVA_LONG));
    } catch (Throwable e) {
      throw new IllegalStateException("sched_getaffinity(2) throws nothing", e);
    }
  }

  @Override
  public void allow(BitSet processors) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment mask = arena.allocate(JAVA_LONG, WORDS);
      long[] words = processors.toLongArray();
      MemorySegment.copy(words, 0, mask, JAVA_LONG, 0, words.length);
      var _ = (int) setAffinity.invokeExact(0, mask.byteSize(), mask);
    } catch (Throwable e) {
      throw new IllegalStateException("sched_setaffinity(2) throws nothing", e);
    }
  }

  @Override
  public OptionalLong waited() {
    try {
      return OptionalLong.of(Long.parseLong(Files.readString(TIMES).strip().split(" ")[1]));
    } catch (IOException e) { // such as no file may be opened any more: no reason to end a training
      return OptionalLong.empty();
    }
  }

  /** How much others come before this process, from -20 to 19. */
  int nice() {
    try {
      return (int) getPriority.invokeExact(PROCESS, 0);
    } catch (Throwable e) {
      throw new IllegalStateException("getpriority(2) throws nothing", e);
    }
  }

  /**
   * The number of the processor that it runs on, or -1: often asked, so the call is a plain one.
   */
  int processor() {
    try {
      return (int) getProcessor.invokeExact();
    } catch (Throwable e) {
      throw new IllegalStateException("sched_getcpu(3) throws nothing", e);
    }
  }
}
