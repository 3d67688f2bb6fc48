package dev.halfcell.train;

/** Is told what happens in training, on the training thread: it should be quick. */
@FunctionalInterface
public interface TrainListener {
  /** Something happened. */
  void on(TrainEvent event);
}
