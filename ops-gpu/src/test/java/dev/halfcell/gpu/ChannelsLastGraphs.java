package dev.halfcell.gpu;

import dev.halfcell.backend.Variable;
import dev.halfcell.backend.Variables;
import dev.halfcell.tensor.Tensor;
import dev.halfcell.tensor.TensorScope;
import org.junit.jupiter.api.AfterEach;

/** Graphs without variables of 72 channels, for contracts of images whose channels lie last. */
abstract class ChannelsLastGraphs implements Variables {
  /** Two groups of channels, the second of which is not full. */
  static final int CHANNELS = 72;

  final TensorScope scope = TensorScope.guarded();

  /** Opens the GPU that is held to the contract. */
  abstract GpuBackend openBackend();

  @AfterEach
  final void close() {
    scope.close();
  }

  @Override
  public Tensor read(Variable variable) {
    throw new IllegalStateException("no graph here reads " + variable);
  }

  @Override
  public long seed() {
    return 0;
  }
}
