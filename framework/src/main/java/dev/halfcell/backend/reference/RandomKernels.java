package dev.halfcell.backend.reference;

import dev.halfcell.op.random.Dropout;
import dev.halfcell.op.random.RandomKey;
import dev.halfcell.op.random.RandomOp;
import dev.halfcell.tensor.Tensor;
import java.util.List;

final class RandomKernels {
  private RandomKernels() {}

  static double[] compute(RandomOp op, List<Tensor> in) {
    double[] x = in.get(0).toArray();
    double[] samples = in.get(1).toArray();
    int each = x.length / samples.length;
    return switch (op) {
      case Dropout(double rate, RandomKey key) -> {
        long stream = key.stream();
        yield Loops.fill(
            x.length,
            i ->
                RandomKey.uniform(stream, (long) samples[i / each], i % each) < rate
                    ? 0
                    : x[i] / (1 - rate));
      }
    };
  }
}
