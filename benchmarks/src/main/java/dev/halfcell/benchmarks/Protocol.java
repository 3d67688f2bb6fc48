package dev.halfcell.benchmarks;

/**
 * How a comparison is made.
 *
 * @param rounds how often all contenders are measured, one after the other
 * @param trial what each process measures to begin with, by which settings are chosen
 * @param round what each process measures in a round
 */
record Protocol(int rounds, Effort trial, Effort round) {
  /** How many rounds' time a trial may take before a peer counts as slow. */
  private static final int PATIENCE = 3;

  /** Whether a peer is so slow that its trial has to do. */
  boolean slow(Measurement trialOfIt) {
    return trialOfIt.seconds() > PATIENCE * round.seconds();
  }
}
