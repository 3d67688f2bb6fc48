package dev.halfcell.gpu.library;

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;

/** A function of an opened library. */
final class NativeFunction {
  private final String name;
  private final MethodHandle handle;

  private NativeFunction(String name, MethodHandle handle) {
    this.name = name;
    this.handle = handle;
  }

  /** The one at an address. */
  static NativeFunction of(MemorySegment address, String name, FunctionDescriptor signature) {
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
