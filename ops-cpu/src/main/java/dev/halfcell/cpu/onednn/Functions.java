package dev.halfcell.cpu.onednn;

import static java.lang.foreign.ValueLayout.JAVA_FLOAT;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import dev.halfcell.tensor.MemoryException;
import dev.halfcell.tensor.Problem;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.lang.invoke.MethodHandle;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Functions of a native library by name. A signature has a letter for each parameter: {@code P} a
 * pointer or 64-bit number, {@code I} an int, {@code F} a float.
 */
final class Functions {
  static final int SUCCESS = 0;
  private static final int OUT_OF_MEMORY = 1;
  static final int UNIMPLEMENTED = 3;

  private final Linker linker = Linker.nativeLinker();
  private final Path file;
  private final SymbolLookup symbols;
  private final Map<String, MethodHandle> handles = new ConcurrentHashMap<>();

  Functions(Path file) {
    this.file = file;
    this.symbols = open(file);
  }

  /** Open for good: code of a library that has started threads cannot be taken away. */
  private static SymbolLookup open(Path file) {
    try {
      return SymbolLookup.libraryLookup(file, Arena.global());
    } catch (IllegalArgumentException e) {
      throw new NativeLibraryException(
          new Problem(
              "oneDNN",
              file.toString(),
              "a library that can be opened",
              String.valueOf(e.getMessage()),
              "It needs a 64-bit x86 Linux with glibc; `ldd` on the file names what is missing."),
          e);
    }
  }

  /** The function of this name; {@code result} V, I or P. */
  MethodHandle handle(char result, String name, String signature) {
    return handles.computeIfAbsent(name, n -> link(result, n, signature));
  }

  private MethodHandle link(char result, String name, String signature) {
    MemorySegment symbol =
        symbols
            .find(name)
            .orElseThrow(
                () ->
                    new NativeLibraryException(
                        new Problem(
                            "oneDNN",
                            file.toString(),
                            "a function " + name,
                            "none",
                            "Use the version of oneDNN that HalfCell was built with.")));
    MemoryLayout[] parameters =
        signature.chars().mapToObj(c -> layout((char) c)).toArray(MemoryLayout[]::new);
    FunctionDescriptor type =
        result == 'V'
            ? FunctionDescriptor.ofVoid(parameters)
            : FunctionDescriptor.of(layout(result), parameters);
    return linker.downcallHandle(symbol, type);
  }

  private static MemoryLayout layout(char kind) {
    return switch (kind) {
      case 'P' -> JAVA_LONG;
      case 'I' -> JAVA_INT;
      case 'F' -> JAVA_FLOAT;
      default -> throw new IllegalArgumentException("kind " + kind);
    };
  }

  /** Calls a function that answers with a status, and gives that. */
  int status(String name, String signature, Object... arguments) {
    return (int) invoke(handle('I', name, signature), name, arguments);
  }

  /** Calls a function that answers with a pointer or a size. */
  long number(String name, String signature, Object... arguments) {
    return (long) invoke(handle('P', name, signature), name, arguments);
  }

  /** Calls a function that has to succeed. */
  void call(String name, String signature, Object... arguments) {
    require(name, status(name, signature, arguments));
  }

  /** Calls a function whose first parameter points to where it puts what it makes. */
  long create(String name, String signature, Object... arguments) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment made = arena.allocate(JAVA_LONG);
      Object[] all = new Object[arguments.length + 1];
      all[0] = made.address();
      System.arraycopy(arguments, 0, all, 1, arguments.length);
      call(name, "P" + signature, all);
      return made.get(JAVA_LONG, 0);
    }
  }

  static void require(String name, int status) {
    if (status == UNIMPLEMENTED) {
      throw new UnimplementedException(name);
    }
    if (status == OUT_OF_MEMORY) {
      throw new MemoryException(
          new Problem(
              name,
              "",
              "memory outside the heap",
              "none that the system gives",
              "Take a smaller batch or network, or end other programs."));
    }
    if (status != SUCCESS) {
      throw failure(name, "status " + status);
    }
  }

  private static Object invoke(MethodHandle handle, String name, Object... arguments) {
    try {
      return handle.invokeWithArguments(arguments);
    } catch (Throwable e) {
      throw thrown(name, e);
    }
  }

  /** What a failed call from Java becomes; it has no other exceptions of its own. */
  static RuntimeException thrown(String name, Throwable e) {
    return switch (e) {
      case RuntimeException r -> r;
      case Error error -> throw error;
      default -> failure(name, e.toString());
    };
  }

  private static NativeCallException failure(String name, String got) {
    return new NativeCallException(
        new Problem(name, "", "success", got, "This is a fault of HalfCell: please report it."));
  }
}
