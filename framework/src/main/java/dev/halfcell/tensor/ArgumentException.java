package dev.halfcell.tensor;

import org.jspecify.annotations.Nullable;

/** An option or hyper-parameter has a value that makes no sense. */
public final class ArgumentException extends FrameworkException {
  public ArgumentException(Problem problem) {
    super(problem);
  }

  /** An argument that is not what it has to be, with no more to say about it. */
  public ArgumentException(String subject, String expected, Object got) {
    super(new Problem(subject, "", expected, String.valueOf(got), ""));
  }

  /** Throws unless {@code holds}. */
  public static void require(boolean holds, String subject, String expected, Object got) {
    if (!holds) {
      throw new ArgumentException(subject, expected, got);
    }
  }

  /** Throws where an argument is null, naming it. */
  public static void requirePresent(@Nullable Object argument, String subject, String name) {
    require(argument != null, subject, "a value for " + name, "null");
  }
}
