package dev.halfcell.op.recurrent;

/**
 * How a recurrent layer goes through sequences.
 *
 * @param reverse from the last step of each sample to its first; the output of a step stays at the
 *     step's place
 * @param stateful whether initial states are given; they are zeros otherwise
 * @param lengths whether the samples' lengths are given: a state stops changing where its sample
 *     ends, and outputs after that are 0. Without them every sample is as long as x.
 */
public record Pass(boolean reverse, boolean stateful, boolean lengths) {
  /** From first to last, from zeros, all samples of the same length. */
  public static final Pass FORWARD = new Pass(false, false, false);

  /** The first step of a sample of this length, if it has one. */
  public int first(int length) {
    return reverse ? length - 1 : 0;
  }

  /** From one step to the next: 1 or -1. */
  public int step() {
    return reverse ? -1 : 1;
  }
}
