package dev.halfcell.train;

import dev.halfcell.data.Batch;
import dev.halfcell.data.BatchCursor;
import dev.halfcell.data.DataSet;
import dev.halfcell.data.Sampler;
import dev.halfcell.tensor.Tensor;
import java.util.List;

/** Measures a network on a data set. */
public final class Evaluation {
  private Evaluation() {}

  /**
   * Takes all samples of {@code data}, in order, into {@code metric}, and gives its value.
   *
   * @param batchSize the samples computed at a time, at most; the value does not depend on it
   */
  public static double of(Inference inference, DataSet data, int batchSize, Metric metric) {
    int rows = Math.min(batchSize, data.size());
    try (BatchCursor cursor = new BatchCursor(data, new Sampler.InOrder(), rows)) {
      while (cursor.epoch() == 0) {
        Batch batch = cursor.next();
        List<Tensor> parts = batch.inputs();
        Tensor[] given = parts.subList(0, parts.size() - 1).toArray(Tensor[]::new);
        metric.update(inference.run(given), parts.getLast());
      }
    }
    return metric.value();
  }
}
