package dev.halfcell.train;

/** What is done about the first offenders of a loop's steps. */
public interface OffenderWatch {
  /** Only has the results name them. */
  static OffenderWatch naming() {
    return new OffenderWatch() {
      @Override
      public void found(StepResult result) {}

      @Override
      public boolean changed() {
        return false;
      }
    };
  }

  /** Told of a step that overflowed and whose first offender was found. */
  void found(StepResult result);

  /**
   * Asked before each step: whether it is described in another way than the one before. Then what
   * was compiled is compiled again.
   */
  boolean changed();
}
