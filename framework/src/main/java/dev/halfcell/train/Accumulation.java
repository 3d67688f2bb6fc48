package dev.halfcell.train;

import dev.halfcell.tensor.ArgumentException;

/**
 * How many micro-batches make one step. Their gradients, scaled by one loss scale, are added up in
 * FP32 and the step is taken with their mean, so that n micro-batches of equal size move parameters
 * like one batch of all their samples would; running statistics follow each micro-batch.
 *
 * <p>A window that ends early, at the end of an epoch, is a step with the mean of what it has.
 *
 * <p>While a window is open, another loop on the same state takes no step that would move its loss
 * scale or its running statistics: that is refused. The gradients of tables become whole, so that
 * an optimizer that moves rows alone ({@link dev.halfcell.optim.Adam#onlyRows}) is refused too.
 *
 * @param microBatches how many make a step; 1 means that each batch is a step of its own
 * @param onOverflow what becomes of a window with a micro-batch whose loss or gradients are not
 *     finite
 */
public record Accumulation(int microBatches, OnOverflow onOverflow) {
  /** What a micro-batch that is not finite costs. */
  public enum OnOverflow {
    /** The window: its step is refused. */
    DROP_WINDOW,
    /** Itself: the step is taken with the mean of the others, and the loss scale falls. */
    DROP_MICRO_BATCH
  }

  public Accumulation {
    ArgumentException.require(microBatches >= 1, "accumulation", "at least 1", microBatches);
  }

  /** Each batch is a step. */
  public static Accumulation none() {
    return of(1);
  }

  /** So many micro-batches to a step; one that is not finite costs the window. */
  public static Accumulation of(int microBatches) {
    return new Accumulation(microBatches, OnOverflow.DROP_WINDOW);
  }

  /** How many steps so many batches of an epoch make; the last may have fewer. */
  public int steps(int batches) {
    return Math.ceilDiv(batches, microBatches);
  }

  /** Whether a step takes more than one batch. */
  boolean windowed() {
    return microBatches > 1;
  }
}
