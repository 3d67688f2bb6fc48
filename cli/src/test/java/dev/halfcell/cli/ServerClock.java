package dev.halfcell.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Map;
import org.junit.jupiter.api.Assumptions;

/**
 * The clock of a server, to be set while it runs ({@code set_clock.c}). Its workers keep that of
 * the system, for they are handed little of its environment.
 */
final class ServerClock implements AutoCloseable {
  private final Map<String, String> environment;
  private final Arena arena = Arena.ofShared();
  private final MemorySegment seconds;

  private ServerClock(Path library, Path file) throws IOException {
    environment = Map.of("LD_PRELOAD", library.toString(), "SET_CLOCK", file.toString());
    try (FileChannel channel =
        FileChannel.open(
            file, StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
      seconds = channel.map(FileChannel.MapMode.READ_WRITE, 0, Long.BYTES, arena);
    }
  }

  /** One that goes right. The test is skipped, and says so, where nothing compiles C. */
  static ServerClock in(Path folder) throws IOException, InterruptedException {
    Path source = Path.of(System.getProperty("halfcell.root"), "cli/src/test/c/set_clock.c");
    Path library = folder.resolve("set_clock.so");
    Process compiler;
    try {
      compiler =
          new ProcessBuilder("gcc", "-shared", "-fPIC", "-o", "" + library, "" + source)
              .redirectErrorStream(true)
              .start();
    } catch (IOException e) {
      return Assumptions.abort("Setting a clock needs gcc: " + e.getMessage());
    }
    String said = new String(compiler.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertEquals(0, compiler.waitFor(), said);
    return new ServerClock(library, folder.resolve("clock"));
  }

  /** What a process is started with whose clock this is. */
  Map<String, String> environment() {
    return environment;
  }

  /** Sets it, from one moment to the next, by so many seconds from the system's. */
  void set(long by) {
    seconds.set(ValueLayout.JAVA_LONG, 0, by);
  }

  @Override
  public void close() {
    arena.close();
  }
}
