package dev.halfcell.testkit;

import dev.halfcell.op.Op;
import java.util.List;
import java.util.stream.Stream;

/** All ops there are, found by walking down the sealed families. */
public final class SealedOps {
  private SealedOps() {}

  /** The record classes of all ops. */
  public static List<Class<?>> records() {
    return below(Op.class).toList();
  }

  private static Stream<Class<?>> below(Class<?> type) {
    return type.isSealed()
        ? Stream.of(type.getPermittedSubclasses()).flatMap(SealedOps::below)
        : Stream.of(type);
  }
}
