package dev.halfcell.gpu.library;

import dev.halfcell.gpu.driver.LibraryException;
import dev.halfcell.tensor.Problem;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.lang.invoke.MethodHandle;

/** A function of an opened library. */
final class NativeFunction {
  private final String name;
  private final MethodHandle handle;

  private NativeFunction(String name, MethodHandle handle) {
    this.name = name;
    this.handle = handle;
  }

  /**
   * Looks for it.
   *
   * @param file the library, for messages
   * @throws LibraryException where the library has none of that name
   */
  static NativeFunction of(
      SymbolLookup symbols, String file, String name, FunctionDescriptor signature) {
    MemorySegment address =
        symbols
            .find(name)
            .orElseThrow(
                () ->
                    new LibraryException(
                        new Problem(
                            "gpu",
                            file,
                            "a library with the function " + name,
                            "one without it",
                            "Install the library of CUDA 12 or 13 again.")));
    return new NativeFunction(name, Linker.nativeLinker().downcallHandle(address, signature));
  }

  String name() {
    return name;
  }

  /** Calls it. The arguments are exactly of the types of its signature. */
  Object call(Object... arguments) {
    try {
      return handle.invokeWithArguments(arguments);
    } catch (RuntimeException | Error e) {
      throw e;
    } catch (Throwable e) {
      throw new IllegalStateException(name, e);
    }
  }
}
