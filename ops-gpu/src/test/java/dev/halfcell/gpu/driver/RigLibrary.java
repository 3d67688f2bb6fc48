package dev.halfcell.gpu.driver;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.SymbolLookup;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;

/** A native library of tests, which g++ builds where its sources have changed. */
final class RigLibrary {
  /** The folder of this module. */
  static final Path MODULE = module();

  private static final Path BUILT = MODULE.resolve("target/rig");
  private static final List<String> COMPILED = List.of(".cpp", ".cu");
  private static final List<String> PROCESSOR = processor();

  private final Path file;
  private final SymbolLookup symbols;

  private RigLibrary(Path file) {
    this.file = file;
    this.symbols = SymbolLookup.libraryLookup(file, Arena.global());
  }

  /** Lets g++ fuse and narrow by instructions, where there are such, instead of by functions. */
  private static List<String> processor() {
    Path said = Path.of("/proc/cpuinfo");
    try {
      List<String> flags =
          Files.exists(said) ? List.of(Files.readString(said).split("\\s+")) : List.of();
      return flags.containsAll(List.of("avx2", "fma", "f16c"))
          ? List.of("-mavx2", "-mfma", "-mf16c")
          : List.of();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
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
   * @param options for g++ where it compiles
   * @param libraries what is linked behind
   */
  static RigLibrary build(
      String file,
      List<String> sources,
      List<String> read,
      List<String> options,
      List<String> libraries) {
    Path library = BUILT.resolve(file);
    try {
      Files.createDirectories(library.getParent());
      // Tests run in two processes, and one of them is to build it.
      try (FileChannel channel =
              FileChannel.open(
                  BUILT.resolve(file + ".lock"),
                  StandardOpenOption.CREATE,
                  StandardOpenOption.WRITE);
          FileLock _ = channel.lock()) {
        List<Path> stale = new ArrayList<>();
        List<Path> objects = objects(library, sources, read, options, stale);
        if (!stale.isEmpty() || !Files.exists(library)) {
          link(library, objects, libraries);
        }
      }
      return new RigLibrary(library);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Compiles what is older than its source or any header, and adds it to {@code stale}. */
  private static List<Path> objects(
      Path library, List<String> sources, List<String> read, List<String> options, List<Path> stale)
      throws IOException {
    Path folder = Files.createDirectories(library.resolveSibling(library.getFileName() + ".o"));
    long headers = 0;
    List<Path> compiled = new ArrayList<>();
    for (String each : Stream.concat(sources.stream(), read.stream()).toList()) {
      for (Path file : files(MODULE.resolve(each))) {
        if (COMPILED.stream().noneMatch(String.valueOf(file)::endsWith)) {
          headers = Math.max(headers, Files.getLastModifiedTime(file).toMillis());
        } else if (sources.contains(each)) {
          compiled.add(file);
        }
      }
    }
    for (Path source : compiled) {
      if (!isNewer(object(folder, source), source, headers)) {
        stale.add(source);
      }
    }
    stale.parallelStream().forEach(each -> compile(each, object(folder, each), options));
    return compiled.stream().map(each -> object(folder, each)).toList();
  }

  private static Path object(Path objects, Path source) {
    return objects.resolve(source.getFileName() + ".o");
  }

  private static boolean isNewer(Path object, Path source, long headers) {
    try {
      return Files.exists(object)
          && Files.getLastModifiedTime(object).toMillis()
              > Math.max(headers, Files.getLastModifiedTime(source).toMillis());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static List<Path> files(Path folder) throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      return files.filter(Files::isRegularFile).sorted().toList();
    }
  }

  private static void compile(Path source, Path object, List<String> options) {
    List<String> command = new ArrayList<>(List.of("g++", "-std=c++17", "-O2", "-fPIC"));
    command.add("-ffp-contract=off"); // a * b + c is rounded twice, as kernels have it
    command.add("-fno-strict-aliasing"); // numbers are moved as pieces of 16 bytes, as nvcc allows
    command.addAll(PROCESSOR);
    command.addAll(List.of("-Wall", "-Wextra", "-Werror"));
    command.add("-Wno-unknown-pragmas"); // those of nvcc
    command.add("-I" + MODULE.resolve("src/test/cpp"));
    command.add("-I" + MODULE.resolve("src/main/cuda"));
    command.addAll(options);
    command.addAll(List.of("-c", "-o", object.toString(), "-x", "c++"));
    command.add(source.toString().endsWith(".cu") ? apart(source, object) : source.toString());
    run(command);
  }

  /**
   * A source that has a file of kernels in a namespace of its own: nvcc sees each file alone, and
   * g++ would take one file's function for that of the same name in another. The shared memory of
   * its kernels lies in a section of its own, of which the linker tells the start and the end.
   */
  private static String apart(Path source, Path object) {
    Path file = object.resolveSibling(source.getFileName() + ".cpp");
    String section = "rig_shared_" + source.getFileName().toString().replace(".cu", "");
    try {
      return Files.writeString(
              file,
              """
              #include "cuda_on_host.h"
              #define __shared__ static __attribute__((section("%1$s")))
              extern "C" char __start_%1$s[] __attribute__((weak));
              extern "C" char __stop_%1$s[] __attribute__((weak));
              #define RIG_SHARED {__start_%1$s, __stop_%1$s}
              namespace {
              #include "%2$s"
              }
              """
                  .formatted(section, source))
          .toString();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static void link(Path library, List<Path> objects, List<String> libraries)
      throws IOException {
    Path fresh = library.resolveSibling(library.getFileName() + ".fresh");
    List<String> command =
        new ArrayList<>(List.of("g++", "-shared", "-Wl,-soname," + library.getFileName()));
    command.addAll(List.of("-o", fresh.toString()));
    objects.forEach(each -> command.add(each.toString()));
    command.addAll(libraries);
    run(command);
    Files.move(fresh, library, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
  }

  private static void run(List<String> command) {
    Process process;
    try {
      process = new ProcessBuilder(command).redirectErrorStream(true).start();
    } catch (IOException e) {
      Assumptions.abort("The emulated GPU needs g++, which is not there: " + e.getMessage());
      return;
    }
    try {
      String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      if (process.waitFor() != 0) {
        throw new IllegalStateException("The emulated GPU does not compile:\n" + said);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      throw new IllegalStateException("interrupted while the emulated GPU was compiled", e);
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
