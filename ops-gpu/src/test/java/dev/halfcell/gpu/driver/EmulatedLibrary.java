package dev.halfcell.gpu.driver;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.List;

/**
 * A library of NVIDIA for the {@link EmulatedGpu}, which adds up in double, in the order of the
 * stream, and refuses what the real one would refuse or compute wrongly.
 */
public final class EmulatedLibrary {
  private static final long LONGEST = 1024;

  private final RigLibrary rig;

  private EmulatedLibrary(RigLibrary rig) {
    this.rig = rig;
  }

  /** A cuBLASLt: {@code libcublasLt.so.13} of src/test/cpp/cublaslt. */
  public static EmulatedLibrary cublasLt() {
    return built("products/libcublasLt.so.13", "cublaslt", List.of());
  }

  /** One in which the function that multiplies is missing. */
  public static EmulatedLibrary cublasLtWithoutProducts() {
    return built("no-products/libcublasLt.so.13", "cublaslt", lacking("PRODUCTS"));
  }

  /** A cuDNN: {@code libcudnn_graph.so.9} of src/test/cpp/cudnn. */
  public static EmulatedLibrary cudnn() {
    return built("convolutions/libcudnn_graph.so.9", "cudnn", List.of());
  }

  /** One in which the function that executes is missing. */
  public static EmulatedLibrary cudnnWithoutExecution() {
    return built("no-convolutions/libcudnn_graph.so.9", "cudnn", lacking("EXECUTION"));
  }

  private static List<String> lacking(String what) {
    return List.of("-O0", "-DWITHOUT_" + what, "-Wno-unused-function");
  }

  /** Builds it, and the driver on which it stands. */
  private static EmulatedLibrary built(String file, String sources, List<String> options) {
    Path driver = EmulatedGpu.build().library();
    Path beside = driver.resolveSibling("");
    List<String> libraries =
        List.of("-L" + beside, "-l:" + driver.getFileName(), "-Wl,-rpath," + beside);
    return new EmulatedLibrary(
        RigLibrary.build(
            file,
            List.of("src/test/cpp/" + sources),
            List.of("src/test/cpp", "src/main/cuda"),
            options,
            libraries));
  }

  /** The folder in which it is to be looked for. */
  public Path folder() {
    return file().resolveSibling("");
  }

  /** Its file. */
  public Path file() {
    return rig.file();
  }

  /** Has a call answer a status, after it has succeeded {@code after} times more. */
  public void fail(String name, int status, int after) {
    try (Arena arena = Arena.ofConfined()) {
      FunctionDescriptor shape = FunctionDescriptor.ofVoid(ADDRESS, JAVA_INT, JAVA_INT);
      rig.call("rig_library_fail", shape, arena.allocateFrom(name), status, after);
    }
  }

  /** How often the library was called by this name. */
  public long calls(String name) {
    try (Arena arena = Arena.ofConfined()) {
      FunctionDescriptor shape = FunctionDescriptor.of(JAVA_LONG, ADDRESS);
      return (long) rig.call("rig_library_calls", shape, arena.allocateFrom(name));
    }
  }

  /** How many handles and descriptors there are. */
  public long objects() {
    return (long) rig.call("rig_library_objects", FunctionDescriptor.of(JAVA_LONG));
  }

  /** What was asked for that cannot be, and forgets it, and failures that were to come. */
  public String complaint() {
    MemorySegment text =
        (MemorySegment) rig.call("rig_library_complaint", FunctionDescriptor.of(ADDRESS));
    return text.reinterpret(LONGEST).getString(0);
  }
}
