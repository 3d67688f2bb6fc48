package dev.halfcell.benchmarks.peers;

import java.util.Map;

/** A network, a batch and an optimizer in another framework. */
interface Peer {
  /**
   * Takes one training step on the batch: forward, cross entropy, backward, momentum 0.9.
   *
   * @return the loss before the step
   */
  double step();

  /** Of the libraries that compute it, by name. */
  Map<String, String> versions();
}
