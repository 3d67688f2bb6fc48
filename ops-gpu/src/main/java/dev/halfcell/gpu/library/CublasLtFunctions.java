package dev.halfcell.gpu.library;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import dev.halfcell.gpu.driver.LibraryException;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;

/**
 * The functions of cuBLASLt that are used. Their signatures are the same in CUDA 12 and 13. Objects
 * of the library and addresses on the device are passed as numbers, what lies in the host's memory
 * as segments.
 *
 * <p>Source: cublasLt.h of cuBLAS 13.1.
 */
final class CublasLtFunctions {
  private static final long LONGEST_NAME = 256;

  private static final String FIX = "Install the library of CUDA 12 or 13 again.";

  private final NativeLibrary library;
  private final NativeFunction version;
  private final NativeFunction statusName;
  final NativeFunction create;
  final NativeFunction destroy;
  final NativeFunction operationCreate;
  final NativeFunction operationDestroy;
  final NativeFunction operationSet;
  final NativeFunction layoutCreate;
  final NativeFunction layoutDestroy;
  final NativeFunction layoutSet;
  final NativeFunction preferenceCreate;
  final NativeFunction preferenceDestroy;
  final NativeFunction preferenceSet;
  final NativeFunction heuristic;
  final NativeFunction multiply;

  private CublasLtFunctions(NativeLibrary library) {
    this.library = library;
    FunctionDescriptor make = FunctionDescriptor.of(JAVA_INT, ADDRESS);
    FunctionDescriptor end = FunctionDescriptor.of(JAVA_INT, JAVA_LONG);
    FunctionDescriptor set =
        FunctionDescriptor.of(JAVA_INT, JAVA_LONG, JAVA_INT, ADDRESS, JAVA_LONG);
    version = library.function("cublasLtGetVersion", FunctionDescriptor.of(JAVA_LONG));
    statusName =
        library.function("cublasLtGetStatusName", FunctionDescriptor.of(ADDRESS, JAVA_INT));
    create = library.function("cublasLtCreate", make);
    destroy = library.function("cublasLtDestroy", end);
    operationCreate =
        library.function(
            "cublasLtMatmulDescCreate",
            FunctionDescriptor.of(JAVA_INT, ADDRESS, JAVA_INT, JAVA_INT));
    operationDestroy = library.function("cublasLtMatmulDescDestroy", end);
    operationSet = library.function("cublasLtMatmulDescSetAttribute", set);
    layoutCreate =
        library.function(
            "cublasLtMatrixLayoutCreate",
            FunctionDescriptor.of(JAVA_INT, ADDRESS, JAVA_INT, JAVA_LONG, JAVA_LONG, JAVA_LONG));
    layoutDestroy = library.function("cublasLtMatrixLayoutDestroy", end);
    layoutSet = library.function("cublasLtMatrixLayoutSetAttribute", set);
    preferenceCreate = library.function("cublasLtMatmulPreferenceCreate", make);
    preferenceDestroy = library.function("cublasLtMatmulPreferenceDestroy", end);
    preferenceSet = library.function("cublasLtMatmulPreferenceSetAttribute", set);
    heuristic = library.function("cublasLtMatmulAlgoGetHeuristic", heuristicSignature());
    multiply = library.function("cublasLtMatmul", multiplySignature());
  }

  /**
   * Opens it.
   *
   * @param file its path, or its name for the loader
   * @throws LibraryException where it cannot be opened or lacks a function
   */
  static CublasLtFunctions open(String file) {
    return new CublasLtFunctions(NativeLibrary.open(file, FIX));
  }

  /** (handle, operation, layouts of A, B, C, D, preference, how many, results, how many came). */
  private static FunctionDescriptor heuristicSignature() {
    return FunctionDescriptor.of(
        JAVA_INT,
        new MemoryLayout[] {
          JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_INT,
          ADDRESS, ADDRESS
        });
  }

  /**
   * (handle, operation, alpha, A, its layout, B, its layout, beta, C, its layout, D, its layout,
   * algorithm, workspace, its bytes, stream).
   */
  private static FunctionDescriptor multiplySignature() {
    return FunctionDescriptor.of(
        JAVA_INT,
        new MemoryLayout[] {
          JAVA_LONG, JAVA_LONG, ADDRESS, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, ADDRESS,
          JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, ADDRESS, JAVA_LONG, JAVA_LONG, JAVA_LONG
        });
  }

  /** The file that was opened. */
  String file() {
    return library.file();
  }

  /** Its version: 13.1.1. */
  String version() {
    return NativeLibrary.version((long) version.call());
  }

  /**
   * Calls a function and demands success.
   *
   * @throws LibraryException with the library's name of the error
   */
  void require(NativeFunction function, Object... arguments) {
    int status = (int) function.call(arguments);
    if (status != 0) {
      MemorySegment name = (MemorySegment) statusName.call(status);
      throw library.failed(
          function, name.reinterpret(LONGEST_NAME).getString(0) + " (" + status + ")");
    }
  }

  /** Calls a function that makes an object, and gives its number. */
  long make(NativeFunction function, Object... further) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment made = arena.allocate(ADDRESS);
      Object[] arguments = new Object[further.length + 1];
      arguments[0] = made;
      System.arraycopy(further, 0, arguments, 1, further.length);
      require(function, arguments);
      return made.get(ADDRESS, 0).address();
    }
  }

  /** Sets an attribute of four bytes. */
  void set(NativeFunction setter, long object, int attribute, int value) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment at = arena.allocateFrom(JAVA_INT, value);
      require(setter, object, attribute, at, at.byteSize());
    }
  }

  /** Sets an attribute of eight bytes. */
  void set(NativeFunction setter, long object, int attribute, long value) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment at = arena.allocateFrom(JAVA_LONG, value);
      require(setter, object, attribute, at, at.byteSize());
    }
  }
}
