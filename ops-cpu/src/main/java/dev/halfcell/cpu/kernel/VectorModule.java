package dev.halfcell.cpu.kernel;

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
}
