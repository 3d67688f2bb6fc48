package dev.halfcell.train;

import dev.halfcell.data.Batch;
import dev.halfcell.data.BatchCursor;
import dev.halfcell.data.DataSet;
import dev.halfcell.data.Sampler;
import dev.halfcell.tensor.ArgumentException;
import dev.halfcell.tensor.Tensor;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.SequencedMap;

/** Measures a network on a data set. */
public final class Evaluation {
  private Evaluation() {}

  /**
   * Takes all samples of {@code data}, once and in order, into each of the metrics. What a metric
   * took in before counts too, so that one may be measured on several data sets.
   *
   * @param batchSize the samples computed at a time, at most; no metric depends on it but by what
   *     it changes in the outputs' last bits
   * @return the value of each metric by its name, in the order of the metrics
   */
  public static SequencedMap<String, Double> of(
      Inference inference, DataSet data, int batchSize, Metric... metrics) {
    List<Metric> all = List.of(metrics);
    requireDistinct(all);
    int rows = Math.min(batchSize, data.size());
    try (BatchCursor cursor = new BatchCursor(data, new Sampler.InOrder(), rows)) {
      while (cursor.epoch() == 0) {
        Batch batch = cursor.next();
        List<Tensor> parts = batch.inputs();
        Tensor[] given = parts.subList(0, parts.size() - 1).toArray(Tensor[]::new);
        Tensor output = inference.run(given);
        all.forEach(metric -> metric.update(output, parts.getLast()));
      }
    }
    SequencedMap<String, Double> values = new LinkedHashMap<>();
    all.forEach(metric -> values.put(metric.name(), metric.value()));
    return Collections.unmodifiableSequencedMap(values);
  }

  private static void requireDistinct(List<Metric> metrics) {
    List<String> names = metrics.stream().map(Metric::name).toList();
    ArgumentException.require(
        !names.isEmpty() && names.stream().distinct().count() == names.size(),
        "metrics",
        "at least one, each of another name",
        names);
  }
}
