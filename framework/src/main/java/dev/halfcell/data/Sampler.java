package dev.halfcell.data;

import dev.halfcell.op.CellPath;
import dev.halfcell.op.random.RandomKey;
import java.util.stream.IntStream;

/** The order in which an epoch visits the samples of a data set. Pure. */
public sealed interface Sampler {
  /** The samples of epoch {@code epoch} (from 0), each once. */
  int[] order(int size, int epoch);

  /** As they stand. */
  record InOrder() implements Sampler {
    @Override
    public int[] order(int size, int epoch) {
      return IntStream.range(0, size).toArray();
    }
  }

  /** In an order drawn anew for each epoch (Fisher and Yates). */
  record Shuffled(long seed) implements Sampler {
    @Override
    public int[] order(int size, int epoch) {
      int[] order = IntStream.range(0, size).toArray();
      long stream = new RandomKey(seed, new CellPath("(data)/order"), epoch).stream();
      for (int last = size - 1; last > 0; last--) {
        int other = (int) (RandomKey.uniform(stream, 0, last) * (last + 1));
        int swapped = order[last];
        order[last] = order[other];
        order[other] = swapped;
      }
      return order;
    }
  }
}
