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
    /** The moving average of one parameter. */
    AVERAGE(true),
    /** How many steps were applied. */
    APPLIED(true),
    /** How many steps were taken, applied or refused, and samples numbered. */
    SEEN(false),
    /** How many steps were refused one after another. */
    REFUSED(false),
    /** The loss scale, its counter and what its rule remembers. */
    SCALE(false),
    /** What a plateau schedule has seen; the host moves it between epochs. */
    PLATEAU(false),
    /** What was seen of the metrics of epochs; the host moves it between epochs. */
    WATCHED(false),
    /** What the micro-batches of a window add up to: gradients, running statistics. */
    WINDOW(true),
    /** How many micro-batches a window has, and the sum of their losses. */
    WINDOW_COUNT(false),
    /** Which cells were moved to FP32, and what speaks for moving others. */
    DEMOTION(false);

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

  /** Samples that a train cell numbered since training began, an INT64 scalar. */
  public static Variable samples() {
    return new Variable(Kind.SEEN, CellPath.STEP.child("samples"));
  }

  /** Steps refused one after another until now, an INT64 scalar. */
  public static Variable refused() {
    return new Variable(Kind.REFUSED, CellPath.STEP.child("refused"));
  }

  /** Steps refused one after another that no lower loss scale would have saved, an INT64 scalar. */
  public static Variable hopeless() {
    return new Variable(Kind.REFUSED, CellPath.STEP.child("hopeless"));
  }

  /** The loss scale of the step to come, an FP32 scalar. */
  public static Variable scale() {
    return new Variable(Kind.SCALE, CellPath.STEP.child("loss_scale"));
  }

  /** Clean steps since the loss scale last moved, an INT64 scalar. */
  public static Variable cleanSteps() {
    return new Variable(Kind.SCALE, CellPath.STEP.child("clean_steps"));
  }

  /** What the rule of the loss scale remembers beside these two, FP64 numbers. */
  public static Variable scaleWords() {
    return new Variable(Kind.SCALE, CellPath.STEP.child("loss_scale_words"));
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

  /** What one who watches the metrics of epochs remembers, an FP64 scalar. */
  public static Variable watched(String watcher, String name) {
    return new Variable(Kind.WATCHED, CellPath.STEP.child(watcher).child(name));
  }

  /** Micro-batches of the window so far, an INT64 scalar. */
  public static Variable taken() {
    return new Variable(Kind.WINDOW_COUNT, CellPath.STEP.child("taken"));
  }

  /** Micro-batches of the window that were finite, an INT64 scalar. */
  public static Variable kept() {
    return new Variable(Kind.WINDOW_COUNT, CellPath.STEP.child("kept"));
  }

  /** The sum of the losses of the window's micro-batches, an FP32 scalar. */
  public static Variable windowLoss() {
    return new Variable(Kind.WINDOW_COUNT, CellPath.STEP.child("loss_sum"));
  }

  /** The sum of this parameter's scaled gradients over a window. */
  public Variable windowSum() {
    return new Variable(Kind.WINDOW, path.child("gradient_sum"));
  }

  /** What this running statistic becomes when the window's step is applied. */
  public Variable pending() {
    return new Variable(Kind.WINDOW, path.child("pending"));
  }

  /** The moving average of this parameter. */
  public Variable average() {
    return new Variable(Kind.AVERAGE, path.child("average"));
  }

  /** What demotion has counted and decided of each cell, INT64 [cells, ...]. */
  public static Variable demotions() {
    return new Variable(Kind.DEMOTION, CellPath.STEP.child("demotions"));
  }

  /** The name of the op for which each cell was demoted, UINT8 [cells, bytes]. */
  public static Variable demotedOps() {
    return new Variable(Kind.DEMOTION, CellPath.STEP.child("demoted_ops"));
  }

  /** An optimizer's memory of this parameter. */
  public Variable slot(String name) {
    return new Variable(Kind.SLOT, path.child(name));
  }

  /**
   * The same of one step among several that share a state: {@code (step)/loss_scale} becomes {@code
   * (step)/generator/loss_scale}.
   */
  public Variable of(String step) {
    return step.isEmpty() ? this : new Variable(kind, CellPath.STEP.child(step).child(path.name()));
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
