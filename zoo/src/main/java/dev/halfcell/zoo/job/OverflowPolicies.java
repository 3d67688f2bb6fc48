package dev.halfcell.zoo.job;

import dev.halfcell.tensor.ArgumentException;
import dev.halfcell.train.OverflowPolicy;

/** What becomes of a batch whose step overflows, by name. */
final class OverflowPolicies {
  private static final int TRIES = 10;
  private static final String RETRY = "retry:";

  private OverflowPolicies() {}

  static OverflowPolicy named(String text) {
    return switch (text) {
      case "skip" -> OverflowPolicy.skip();
      case "fail" -> OverflowPolicy.fail();
      case "retry" -> OverflowPolicy.retrySameBatch(TRIES);
      default -> retry(text);
    };
  }

  private static OverflowPolicy retry(String text) {
    boolean counted = text.matches(RETRY + "[1-9][0-9]{0,8}");
    ArgumentException.require(
        counted,
        "overflow policy",
        "skip, retry, retry:N with N of at least 1, or fail",
        "'" + Shown.text(text) + "'");
    return OverflowPolicy.retrySameBatch(Integer.parseInt(text.substring(RETRY.length())));
  }
}
