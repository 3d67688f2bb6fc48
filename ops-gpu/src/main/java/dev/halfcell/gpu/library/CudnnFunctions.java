package dev.halfcell.gpu.library;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.MemorySegment;

/**
 * The functions of cuDNN 9 that are used: those of its backend, which are told everything by
 * attributes of descriptors. Objects of the library are passed as numbers, what lies in the host's
 * memory as segments.
 *
 * <p>Source: cudnn_graph.h of cuDNN 9.5.
 */
final class CudnnFunctions {
  private static final String FIX = "Install cuDNN 9 again.";
  private static final long LONGEST_TEXT = 1024;

  private final NativeLibrary library;
  private final NativeFunction version;
  private final NativeFunction errorString;
  private final NativeFunction lastErrorString;
  final NativeFunction create;
  final NativeFunction destroy;
  final NativeFunction setStream;
  final NativeFunction descriptorCreate;
  final NativeFunction descriptorDestroy;
  final NativeFunction set;
  final NativeFunction get;
  final NativeFunction finish;
  final NativeFunction execute;

  private CudnnFunctions(NativeLibrary library) {
    this.library = library;
    version = library.function("cudnnGetVersion", FunctionDescriptor.of(JAVA_LONG));
    errorString = library.function("cudnnGetErrorString", FunctionDescriptor.of(ADDRESS, JAVA_INT));
    lastErrorString =
        library.function("cudnnGetLastErrorString", FunctionDescriptor.ofVoid(ADDRESS, JAVA_LONG));
    create = library.function("cudnnCreate", FunctionDescriptor.of(JAVA_INT, ADDRESS));
    destroy = library.function("cudnnDestroy", FunctionDescriptor.of(JAVA_INT, JAVA_LONG));
    setStream =
        library.function("cudnnSetStream", FunctionDescriptor.of(JAVA_INT, JAVA_LONG, JAVA_LONG));
    descriptorCreate =
        library.function(
            "cudnnBackendCreateDescriptor", FunctionDescriptor.of(JAVA_INT, JAVA_INT, ADDRESS));
    descriptorDestroy =
        library.function(
            "cudnnBackendDestroyDescriptor", FunctionDescriptor.of(JAVA_INT, JAVA_LONG));
    set =
        library.function(
            "cudnnBackendSetAttribute",
            FunctionDescriptor.of(JAVA_INT, JAVA_LONG, JAVA_INT, JAVA_INT, JAVA_LONG, ADDRESS));
    get =
        library.function(
            "cudnnBackendGetAttribute",
            FunctionDescriptor.of(
                JAVA_INT, JAVA_LONG, JAVA_INT, JAVA_INT, JAVA_LONG, ADDRESS, ADDRESS));
    finish = library.function("cudnnBackendFinalize", FunctionDescriptor.of(JAVA_INT, JAVA_LONG));
    execute =
        library.function(
            "cudnnBackendExecute",
            FunctionDescriptor.of(JAVA_INT, JAVA_LONG, JAVA_LONG, JAVA_LONG));
  }

  /**
   * Opens a library.
   *
   * @param file its path, or its name for the loader
   * @throws dev.halfcell.gpu.driver.LibraryException where it cannot be opened or lacks a function
   */
  static CudnnFunctions open(String file) {
    return new CudnnFunctions(NativeLibrary.open(file, FIX));
  }

  /** The file that was opened. */
  String file() {
    return library.file();
  }

  /** Its version: 9.5.1. */
  String version() {
    return NativeLibrary.version((long) version.call());
  }

  /**
   * Calls a function and demands success.
   *
   * @throws dev.halfcell.gpu.driver.LibraryException with the library's words for the error
   */
  void require(NativeFunction function, Object... arguments) {
    int status = (int) function.call(arguments);
    if (status != 0) {
      throw library.failed(function, told(status));
    }
  }

  private String told(int status) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment last = arena.allocate(LONGEST_TEXT);
      lastErrorString.call(last, LONGEST_TEXT);
      MemorySegment name = (MemorySegment) errorString.call(status);
      String more = last.getString(0).strip().replaceAll("\\s+", " ");
      return name.reinterpret(LONGEST_TEXT).getString(0)
          + " ("
          + status
          + (more.isEmpty() ? "" : ", " + more)
          + ")";
    }
  }

  /** A handle for the current context. */
  long handle() {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment made = arena.allocate(ADDRESS);
      require(create, made);
      return made.get(ADDRESS, 0).address();
    }
  }
}
