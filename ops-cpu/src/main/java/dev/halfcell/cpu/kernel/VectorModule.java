package dev.halfcell.cpu.kernel;

import java.util.Optional;

/**
 * The Java module of explicit vectors, {@code jdk.incubator.vector}. Java has it, but opens it to
 * programs only where it was started with {@code --add-modules jdk.incubator.vector}. Only Java's
 * optimizing compiler makes instructions of vectors out of it: without that one ({@code
 * -XX:TieredStopAtLevel=1}, as development tools set it for a fast start, or {@code -Xint}) each
 * vector is an object and a loop takes a hundred times as long. Where either is missing, loops are
 * left to what the JIT does by itself, which gives the same bits, slower.
 */
public final class VectorModule {
  /** Its name. */
  public static final String NAME = "jdk.incubator.vector";

  /** What HotSpot adds to {@code java.vm.info} where it is held to its first compiler, or none. */
  private static final String FIRST_COMPILER = "emulated-client";

  private static final String NO_COMPILER = "interpreted mode";

  private VectorModule() {}

  /** Whether loops may be written in vectors here, and are worth it. */
  public static boolean usable() {
    return obstacle().isEmpty();
  }

  /** Why loops are over arrays, and what to start Java with or without instead; empty where not. */
  public static Optional<String> obstacle() {
    return obstacle(
        ModuleLayer.boot().findModule(NAME).isPresent(), System.getProperty("java.vm.info", ""));
  }

  /**
   * The same for a Java.
   *
   * @param open whether it was started with the module
   * @param information its {@code java.vm.info}
   */
  static Optional<String> obstacle(boolean open, String information) {
    if (!open) {
      return Optional.of("faster with --add-modules " + NAME);
    }
    if (information.contains(FIRST_COMPILER)) {
      return Optional.of("faster without -XX:TieredStopAtLevel=1");
    }
    if (information.contains(NO_COMPILER)) {
      return Optional.of("faster without -Xint");
    }
    return Optional.empty();
  }
}
