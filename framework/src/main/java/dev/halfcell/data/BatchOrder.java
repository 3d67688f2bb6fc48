package dev.halfcell.data;

import java.util.Arrays;

/** Which samples each batch has, one batch after the other. One thread. */
final class BatchOrder {
  private final int size;
  private final Sampler sampler;
  private final int batchSize;
  private DataPosition position = DataPosition.start();
  private int[] order;

  /**
   * What a batch has.
   *
   * @param samples the samples' indices in the data set
   * @param number the running number of the first of them since training began
   * @param after where the next batch begins
   */
  record Wanted(int[] samples, long number, DataPosition after) {}

  BatchOrder(int size, Sampler sampler, int batchSize) {
    this.size = size;
    this.sampler = sampler;
    this.batchSize = batchSize;
    this.order = sampler.order(size, 0);
  }

  Wanted next() {
    int first = position.sample();
    int count = Math.min(batchSize, size - first);
    DataPosition before = position;
    int[] samples = Arrays.copyOfRange(order, first, first + count);
    goTo(
        first + count == size
            ? new DataPosition(before.epoch() + 1, 0)
            : new DataPosition(before.epoch(), first + count));
    return new Wanted(samples, (long) before.epoch() * size + first, position);
  }

  void goTo(DataPosition place) {
    if (place.epoch() != position.epoch()) {
      order = sampler.order(size, place.epoch());
    }
    position = place;
  }
}
