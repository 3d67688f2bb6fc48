package dev.halfcell.data;

import dev.halfcell.tensor.ArgumentException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Walks through the epochs of a data set batch by batch. The last batch of an epoch may be smaller.
 * A batch is valid until the next one is taken: its memory is used again. One thread.
 *
 * <p>Where workers read ahead, the cursor still stands where the batches were taken, not where they
 * were read.
 */
public final class BatchCursor implements AutoCloseable {
  private final DataSet data;
  private final Share share;
  private final int together;
  private final int ahead;
  private final BatchOrder order;
  private final BatchLoader loader;
  private final Deque<BatchLoader.Begun> begun = new ArrayDeque<>();
  private DataPosition position = DataPosition.start();
  private @Nullable Batch taken;

  /** A cursor before the first batch of epoch 0, which reads each batch when it is taken. */
  public BatchCursor(DataSet data, Sampler sampler, int batchSize) {
    this(data, sampler, batchSize, Loading.direct());
  }

  /** A cursor before the first batch of epoch 0, whose batches are read in this way. */
  public BatchCursor(DataSet data, Sampler sampler, int batchSize, Loading loading) {
    this(data, sampler, batchSize, loading, Share.whole());
  }

  /**
   * The same of one rank of several: it gives the batches that are the rank's. Data, sampler, batch
   * size and number of ranks are the same on all of them; so is the position, then.
   */
  public BatchCursor(DataSet data, Sampler sampler, int batchSize, Loading loading, Share share) {
    ArgumentException.require(data.size() >= 1, data.name(), "at least one sample", data.size());
    ArgumentException.require(batchSize >= 1, "batch size", "at least 1", batchSize);
    int most = data.size() / share.ranks();
    String ranks =
        share.ranks() == 1
            ? ""
            : ", of which each of %d ranks has %d".formatted(share.ranks(), most);
    ArgumentException.require(
        batchSize <= most,
        "batch size",
        "at most the " + data.size() + " samples of " + data.name() + ranks,
        batchSize);
    this.data = data;
    this.share = share;
    this.together = batchSize * share.ranks();
    this.ahead = loading.ahead();
    this.order = new BatchOrder(data.size(), sampler, batchSize, share);
    this.loader = new BatchLoader(data, loading);
  }

  /** The epoch that the next batch belongs to, from 0. */
  public int epoch() {
    return position.epoch();
  }

  /** Whether the next batch is the first of its epoch. */
  public boolean atEpochStart() {
    return position.sample() == 0;
  }

  /** Before which sample the next batch begins. */
  public DataPosition position() {
    return position;
  }

  /**
   * Goes to a place where a cursor with the same data, sampler, batch size and number of ranks has
   * stood.
   *
   * @throws ArgumentException where a batch of this size does not begin there
   */
  public void goTo(DataPosition place) {
    ArgumentException.require(
        place.sample() <= data.size() - share.ranks() && place.sample() % together == 0,
        "data position",
        "the first sample of a batch of %d among %d samples".formatted(together, data.size()),
        place.sample());
    while (!begun.isEmpty()) {
      BatchLoader.Begun unwanted = begun.remove();
      unwanted.read().handle((_, _) -> true).join();
      loader.giveBack(unwanted.batch());
    }
    order.goTo(place);
    position = place;
  }

  /** How many batches an epoch has. */
  public int batchesPerEpoch() {
    int whole = data.size() / together;
    return data.size() % together < share.ranks() ? whole : whole + 1;
  }

  /**
   * The next batch; after the last of an epoch comes the first of the next.
   *
   * @throws dev.halfcell.tensor.DataException naming the sample that could not be read; the cursor
   *     stays before that batch
   */
  public Batch next() {
    if (taken != null) {
      loader.giveBack(taken);
      taken = null;
    }
    try {
      begin();
      BatchLoader.Begun first = begun.remove();
      Batch batch = loader.finish(first);
      taken = batch;
      position = first.wanted().after();
      return batch;
    } catch (RuntimeException | Error e) {
      goTo(position);
      throw e;
    }
  }

  /**
   * The batch that {@link #next} will give, read by now; the cursor stays where it is, and the
   * batch that was taken remains valid. None where a sample of it could not be read, which {@code
   * next} tells.
   */
  public Optional<Batch> upcoming() {
    begin();
    BatchLoader.Begun first = begun.element();
    boolean read = first.read().handle((_, failure) -> failure == null).join();
    return read ? Optional.of(first.batch()) : Optional.empty();
  }

  /** Has batches read: not before half of them are used up, since waking a worker costs time. */
  private void begin() {
    if (begun.size() <= Math.ceilDiv(ahead, 2)) {
      while (begun.size() <= ahead) {
        begun.add(loader.begin(order.next()));
      }
    }
  }

  /** Frees the batches. */
  @Override
  public void close() {
    loader.close();
  }
}
