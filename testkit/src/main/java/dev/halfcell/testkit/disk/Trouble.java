package dev.halfcell.testkit.disk;

import java.io.IOException;

/** What happens to a {@link CrashDisk}, and when: operations are counted from 1. */
public sealed interface Trouble {
  /** Nothing. */
  record None() implements Trouble {}

  /** The power fails while an operation is under way. */
  record PowerFails(long at) implements Trouble {}

  /**
   * An operation fails.
   *
   * @param message what the operating system says
   * @param forEver whether all later ones fail too
   */
  record Fails(long at, String message, boolean forEver) implements Trouble {
    IOException exception() {
      return new IOException(message);
    }
  }

  /** Whether it strikes at this operation. */
  default boolean strikes(long operation) {
    return switch (this) {
      case None _ -> false;
      case PowerFails(long at) -> operation >= at;
      case Fails(long at, var _, boolean forEver) -> forEver ? operation >= at : operation == at;
    };
  }
}
