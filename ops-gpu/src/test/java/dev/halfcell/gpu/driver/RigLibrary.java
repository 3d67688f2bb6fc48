package dev.halfcell.gpu.driver;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.SymbolLookup;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;

/** A native library of tests, which g++ builds where its sources have changed. */
final class RigLibrary {
  /** The folder of this module. */
  static final Path MODULE = module();

  private static final Path BUILT = MODULE.resolve("target/rig");

  private final Path file;
  private final SymbolLookup symbols;

  private RigLibrary(Path file) {
    this.file = file;
    this.symbols = SymbolLookup.libraryLookup(file, Arena.global());
  }

  private static Path module() {
    String root = System.getProperty("halfcell.root");
    return root == null ? Path.of("").toAbsolutePath() : Path.of(root, "ops-gpu");
  }

  /**
   * Builds it. Tests are skipped, and say so, without g++.
   *
   * @param file where, below the folder of what is built; its name is that for the loader
   * @param sources folders whose .cpp and .cu files are compiled, below this module
   * @param read further folders on which it depends
   * @param options for g++
   */
  static RigLibrary build(
      String file, List<String> sources, List<String> read, List<String> options) {
    Path library = BUILT.resolve(file);
    List<String> folders = new ArrayList<>(sources);
    folders.addAll(read);
    try {
      if (stale(library, folders)) {
        compile(library, sources, options);
      }
      return new RigLibrary(library);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static boolean stale(Path library, List<String> folders) throws IOException {
    if (!Files.exists(library)) {
      return true;
    }
    long built = Files.getLastModifiedTime(library).toMillis();
    for (String folder : folders) {
      for (Path file : files(MODULE.resolve(folder), "")) {
        if (Files.getLastModifiedTime(file).toMillis() >= built) {
          return true;
        }
      }
    }
    return false;
  }

  private static List<Path> files(Path folder, String ending) throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      return files
          .filter(file -> Files.isRegularFile(file) && file.toString().endsWith(ending))
          .sorted()
          .toList();
    }
  }

  private static void compile(Path library, List<String> sources, List<String> options)
      throws IOException {
    Files.createDirectories(library.getParent());
    Path fresh = library.resolveSibling(library.getFileName() + ".fresh");
    List<String> command =
        new ArrayList<>(
            List.of("g++", "-std=c++17", "-O2", "-Wall", "-Wextra", "-Werror", "-fPIC", "-shared"));
    command.add("-Wl,-soname," + library.getFileName());
    command.add("-I" + MODULE.resolve("src/test/cpp"));
    command.add("-I" + MODULE.resolve("src/main/cuda"));
    command.addAll(List.of("-o", fresh.toString(), "-x", "c++"));
    for (String ending : List.of(".cpp", ".cu")) {
      for (String folder : sources) {
        files(MODULE.resolve(folder), ending).forEach(each -> command.add(each.toString()));
      }
    }
    command.addAll(List.of("-x", "none"));
    command.addAll(options);
    run(command);
    Files.move(fresh, library, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
  }

  private static void run(List<String> command) throws IOException {
    Process process;
    try {
      process = new ProcessBuilder(command).redirectErrorStream(true).start();
    } catch (IOException e) {
      Assumptions.abort("The emulated GPU needs g++, which is not there: " + e.getMessage());
      return;
    }
    String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    try {
      if (process.waitFor() != 0) {
        throw new IOException("The emulated GPU does not compile:\n" + said);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted while the emulated GPU was compiled", e);
    }
  }

  /** Its file. */
  Path file() {
    return file;
  }

  /** Calls a function of it; 0 where it gives nothing. */
  Object call(String name, FunctionDescriptor shape, Object... arguments) {
    try {
      Object answer =
          Linker.nativeLinker()
              .downcallHandle(symbols.find(name).orElseThrow(), shape)
              .invokeWithArguments(arguments);
      return answer == null ? 0L : answer;
    } catch (RuntimeException | Error e) {
      throw e;
    } catch (Throwable e) {
      throw new IllegalStateException(e);
    }
  }
}
