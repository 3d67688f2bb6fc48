package dev.halfcell.data;

import dev.halfcell.tensor.ArgumentException;
import dev.halfcell.tensor.DType;
import dev.halfcell.tensor.Elements;
import dev.halfcell.tensor.Tensor;
import dev.halfcell.tensor.TensorScope;
import dev.halfcell.tensor.TensorSpec;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Walks through the epochs of a data set batch by batch. The last batch of an epoch may be smaller.
 * A batch is valid until the next one is taken: its memory is used again. One thread.
 */
public final class BatchCursor implements AutoCloseable {
  private final DataSet data;
  private final Sampler sampler;
  private final int batchSize;
  private final TensorScope scope;
  private final Map<Integer, Batch> buffers = new HashMap<>();
  private int epoch;
  private int position;
  private int[] order;

  /** A cursor before the first batch of epoch 0. */
  public BatchCursor(DataSet data, Sampler sampler, int batchSize) {
    ArgumentException.require(data.size() >= 1, data.name(), "at least one sample", data.size());
    ArgumentException.require(batchSize >= 1, "batch size", "at least 1", batchSize);
    ArgumentException.require(
        batchSize <= data.size(),
        "batch size",
        "at most the " + data.size() + " samples of " + data.name(),
        batchSize);
    this.data = data;
    this.sampler = sampler;
    this.batchSize = batchSize;
    this.order = sampler.order(data.size(), 0);
    this.scope = TensorScope.open();
  }

  /** The epoch that the next batch belongs to, from 0. */
  public int epoch() {
    return epoch;
  }

  /** Whether the next batch is the first of its epoch. */
  public boolean atEpochStart() {
    return position == 0;
  }

  /** How many batches an epoch has. */
  public int batchesPerEpoch() {
    return Math.ceilDiv(data.size(), batchSize);
  }

  /** The next batch; after the last of an epoch comes the first of the next. */
  public Batch next() {
    int count = Math.min(batchSize, order.length - position);
    Batch batch = buffers.computeIfAbsent(count, this::allocate);
    long first = (long) epoch * order.length + position;
    for (int row = 0; row < count; row++) {
      data.read(order[position + row], batch.inputs(), row);
      Elements.set(batch.samples().data(), DType.INT64, row, (double) (first + row));
    }
    advance(count);
    return batch;
  }

  private void advance(int count) {
    position += count;
    if (position == order.length) {
      position = 0;
      epoch++;
      order = sampler.order(data.size(), epoch);
    }
  }

  private Batch allocate(int rows) {
    List<Tensor> inputs =
        data.sample().stream()
            .map(s -> scope.allocate(new TensorSpec(s.dtype(), s.shape().behind(rows))))
            .toList();
    return new Batch(inputs, scope.allocate(TensorSpec.of(DType.INT64, rows)));
  }

  /** Frees the batches. */
  @Override
  public void close() {
    scope.close();
  }
}
