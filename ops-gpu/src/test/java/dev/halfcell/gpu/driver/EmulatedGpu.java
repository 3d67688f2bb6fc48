package dev.halfcell.gpu.driver;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.SymbolLookup;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;

/**
 * A driver for machines without a GPU: {@code libcuda.so.1} of src/test/cpp, whose kernels are the
 * same sources as those of the PTX, compiled by g++. It shuffles threads and blocks by a seed, does
 * nothing before somebody waits for it, poisons memory and finds what is written beyond it.
 */
public final class EmulatedGpu {
  private static final Path MODULE = module();

  private final Path library;
  private final SymbolLookup symbols;

  private EmulatedGpu(Path library) {
    this.library = library;
    this.symbols = SymbolLookup.libraryLookup(library, Arena.global());
  }

  private static Path module() {
    String root = System.getProperty("halfcell.root");
    return root == null ? Path.of("").toAbsolutePath() : Path.of(root, "ops-gpu");
  }

  /** Builds it where its sources have changed. Tests are skipped, and say so, without g++. */
  public static EmulatedGpu build() {
    Path library = MODULE.resolve("target/rig/libcuda.so.1");
    try {
      List<Path> sources = new ArrayList<>(files(MODULE.resolve("src/test/cpp"), ".cpp"));
      List<Path> kernels = new ArrayList<>(files(MODULE.resolve("src/main/cuda"), ".cu"));
      kernels.addAll(files(MODULE.resolve("src/test/cuda"), ".cu"));
      if (stale(library, List.of("src/test/cpp", "src/main/cuda", "src/test/cuda"))) {
        compile(library, sources, kernels);
      }
      return new EmulatedGpu(library);
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
      return files.filter(file -> file.toString().endsWith(ending)).sorted().toList();
    }
  }

  private static void compile(Path library, List<Path> sources, List<Path> kernels)
      throws IOException {
    Files.createDirectories(library.getParent());
    Path fresh = library.resolveSibling("libcuda.fresh");
    List<String> command =
        new ArrayList<>(
            List.of("g++", "-std=c++17", "-O2", "-Wall", "-Wextra", "-Werror", "-fPIC", "-shared"));
    command.add("-Wl,-soname,libcuda.so.1");
    command.add("-I" + MODULE.resolve("src/test/cpp"));
    command.add("-I" + MODULE.resolve("src/main/cuda"));
    command.addAll(List.of("-o", fresh.toString()));
    sources.forEach(source -> command.add(source.toString()));
    command.addAll(List.of("-x", "c++"));
    kernels.forEach(kernel -> command.add(kernel.toString()));
    run(command);
    Files.move(
        fresh,
        library,
        java.nio.file.StandardCopyOption.ATOMIC_MOVE,
        java.nio.file.StandardCopyOption.REPLACE_EXISTING);
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

  /** Its device, opened. */
  public GpuDevice open() {
    recover();
    return GpuDevice.open(Optional.of(library), 0);
  }

  /** Its file, as users would pass a driver. */
  public Path library() {
    return library;
  }

  /** Makes the order of threads and blocks follow from {@code seed}. */
  public void seed(long seed) {
    call("rig_seed", FunctionDescriptor.ofVoid(JAVA_LONG), seed);
  }

  /** Has a call answer an error, after it has succeeded {@code after} times more. */
  public void fail(String name, int error, int after) {
    try (Arena arena = Arena.ofConfined()) {
      FunctionDescriptor shape = FunctionDescriptor.ofVoid(ADDRESS, JAVA_INT, JAVA_INT);
      call("rig_fail", shape, arena.allocateFrom(name), error, after);
    }
  }

  /** How often the driver was called by this name. */
  public long calls(String name) {
    try (Arena arena = Arena.ofConfined()) {
      return (long)
          call("rig_calls", FunctionDescriptor.of(JAVA_LONG, ADDRESS), arena.allocateFrom(name));
    }
  }

  /** How many pieces of device memory are taken. */
  public long allocations() {
    return (long) call("rig_allocations", FunctionDescriptor.of(JAVA_LONG));
  }

  /** How much memory the device has. */
  public void memory(long bytes) {
    call("rig_memory", FunctionDescriptor.ofVoid(JAVA_LONG), bytes);
  }

  /** Forgets what failed, as only a new process can on a real device. */
  public void recover() {
    call("rig_recover", FunctionDescriptor.ofVoid(new MemoryLayout[0]));
  }

  private Object call(String name, FunctionDescriptor shape, Object... arguments) {
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
