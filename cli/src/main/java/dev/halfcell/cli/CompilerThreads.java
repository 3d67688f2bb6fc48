package dev.halfcell.cli;

import static java.lang.foreign.ValueLayout.JAVA_INT;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.System.Logger.Level;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.invoke.MethodHandle;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/**
 * Java's compiler in this process. A server that has just begun is compiled while it answers; on
 * few processors that takes as much of them as the answers do. Java has an option for the priority
 * of these threads ({@code CompilerThreadPriority}), but for the system's administrator only; to
 * lower one's own priority Linux lets everybody (setpriority(2), which there is for a single
 * thread).
 */
final class CompilerThreads {
  private static final Path THREADS = Path.of("/proc/self/task");
  private static final List<String> NAMES = List.of("C1 CompilerThre", "C2 CompilerThre");
  private static final int ONE = 0; // PRIO_PROCESS
  private static final int NICE = 10;

  private CompilerThreads() {}

  /** Lets the other threads of this process have the processors first; nothing where not Linux. */
  static void letOthersFirst() {
    if (!Files.isDirectory(THREADS)) {
      return;
    }
    try (Stream<Path> threads = Files.list(THREADS)) {
      Linker linker = Linker.nativeLinker();
      MethodHandle setPriority =
          linker.downcallHandle(
              linker.defaultLookup().findOrThrow("setpriority"),
              FunctionDescriptor.of(JAVA_INT, JAVA_INT, JAVA_INT, JAVA_INT));
      for (Path thread : threads.filter(CompilerThreads::compiles).toList()) {
        var _ =
            (int)
                setPriority.invokeExact(
                    ONE, Integer.parseInt(String.valueOf(thread.getFileName())), NICE);
      }
    } catch (IOException | UncheckedIOException e) {
      System.getLogger(CompilerThreads.class.getPackageName())
          .log(Level.WARNING, "threads cannot be listed; the first answers may be slow", e);
    } catch (Throwable e) {
      throw new IllegalStateException("setpriority(2) throws nothing", e);
    }
  }

  private static boolean compiles(Path thread) {
    try {
      return NAMES.contains(Files.readString(thread.resolve("comm")).strip());
    } catch (IOException e) { // it has ended meanwhile
      return false;
    }
  }
}
