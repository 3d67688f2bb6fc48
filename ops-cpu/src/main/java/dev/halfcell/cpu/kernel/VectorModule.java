package dev.halfcell.cpu.kernel;

import jdk.incubator.vector.VectorShape;

/**
 * The Java module of explicit vectors, {@code jdk.incubator.vector}. Java has it, but opens it to
 * programs only where it was started with {@code --add-modules jdk.incubator.vector}; without,
 * loops are left to what the JIT vectorises by itself, which gives the same bits, slower.
 */
public final class VectorModule {
  /** Its name. */
  public static final String NAME = "jdk.incubator.vector";

  private VectorModule() {}

  /** Whether loops may be written in vectors here. */
  public static boolean present() {
    return ModuleLayer.boot().findModule(NAME).isPresent();
  }

  /** The same of vectors of so many bits, which a processor has or not. */
  static boolean present(int bits) {
    return present() && Preferred.bits() >= bits;
  }

  /** Loaded only where the module is present. */
  private static final class Preferred {
    static int bits() {
      return VectorShape.preferredShape().vectorBitSize();
    }
  }
}
