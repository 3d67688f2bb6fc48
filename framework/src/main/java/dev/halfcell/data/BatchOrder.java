package dev.halfcell.data;

import java.util.Arrays;

/** Which samples each batch of a rank has, one batch after the other. One thread. */
final class BatchOrder {
  private final int size;
  private final Sampler sampler;
  private final int batchSize;
  private final Share share;
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

  BatchOrder(int size, Sampler sampler, int batchSize, Share share) {
    this.size = size;
    this.sampler = sampler;
    this.batchSize = batchSize;
    this.share = share;
    this.order = sampler.order(size, 0);
  }

  Wanted next() {
    int ranks = share.ranks();
    int behind = position.sample();
    int count = Math.min(batchSize, (size - behind) / ranks);
    int first = behind + share.rank() * count;
    int epoch = position.epoch();
    int[] samples = Arrays.copyOfRange(order, first, first + count);
    int after = behind + ranks * count;
    goTo(size - after < ranks ? new DataPosition(epoch + 1, 0) : new DataPosition(epoch, after));
    return new Wanted(samples, (long) epoch * size + first, position);
  }

  void goTo(DataPosition place) {
    if (place.epoch() != position.epoch()) {
      order = sampler.order(size, place.epoch());
    }
    position = place;
  }
}
