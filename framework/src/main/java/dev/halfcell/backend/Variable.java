package dev.halfcell.backend;

import dev.halfcell.op.CellPath;

/**
 * The name of one value in the state of a run. Its kind alone says whether a refused step may move
 * it.
 */
public record Variable(Kind kind, CellPath path) {
  /** What a value is for. */
  public enum Kind {
    /** Trained by an optimizer. */
    PARAMETER(true),
    /** A running statistic of a normalisation. */
    STATISTIC(true),
    /** An optimizer's memory of one parameter. */
    SLOT(true),
    /** How many steps were applied. */
    APPLIED(true),
    /** How many steps were taken, applied or refused. */
    SEEN(false),
    /** The loss scale and its counter. */
    SCALE(false),
    /** What a plateau schedule has seen; the host moves it between epochs. */
    PLATEAU(false);

    private final boolean guarded;

    Kind(boolean guarded) {
      this.guarded = guarded;
    }
  }

  /** Steps applied since training began, an INT64 scalar. */
  public static Variable applied() {
    return new Variable(Kind.APPLIED, CellPath.STEP.child("applied"));
  }

  /** Steps taken since training began, an INT64 scalar. */
  public static Variable seen() {
    return new Variable(Kind.SEEN, CellPath.STEP.child("seen"));
  }

  /** The loss scale of the step to come, an FP32 scalar. */
  public static Variable scale() {
    return new Variable(Kind.SCALE, CellPath.STEP.child("loss_scale"));
  }

  /** Clean steps since the loss scale last moved, an INT64 scalar. */
  public static Variable cleanSteps() {
    return new Variable(Kind.SCALE, CellPath.STEP.child("clean_steps"));
  }

  /** What a plateau schedule multiplies the learning rate by, an FP32 scalar. */
  public static Variable rateFactor() {
    return new Variable(Kind.PLATEAU, CellPath.STEP.child("rate_factor"));
  }

  /** The lowest metric that a plateau schedule has seen, an FP32 scalar. */
  public static Variable bestMetric() {
    return new Variable(Kind.PLATEAU, CellPath.STEP.child("best_metric"));
  }

  /** Epochs in a row without a lower metric, an INT64 scalar. */
  public static Variable waitedEpochs() {
    return new Variable(Kind.PLATEAU, CellPath.STEP.child("waited_epochs"));
  }

  /** An optimizer's memory of this parameter. */
  public Variable slot(String name) {
    return new Variable(Kind.SLOT, path.child(name));
  }

  /** Whether the value stays as it is where a step is refused. */
  public boolean guarded() {
    return kind.guarded;
  }

  @Override
  public String toString() {
    return path.text();
  }
}
