package dev.halfcell.data;

import dev.halfcell.tensor.DType;
import dev.halfcell.tensor.DataException;
import dev.halfcell.tensor.Elements;
import dev.halfcell.tensor.FrameworkException;
import dev.halfcell.tensor.Problem;
import dev.halfcell.tensor.Tensor;
import dev.halfcell.tensor.TensorScope;
import dev.halfcell.tensor.TensorSpec;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Reads batches, each by one thread, into memory that is used again. One thread asks for batches
 * and gives them back.
 */
final class BatchLoader implements AutoCloseable {
  private final DataSet data;
  private final Loading loading;
  private final TensorScope scope = TensorScope.open();
  private final Map<Integer, Deque<Batch>> free = new HashMap<>();
  private final ExecutorService threads;
  private final Executor reader;
  private volatile boolean closed;

  /** A batch that was begun. */
  record Begun(BatchOrder.Wanted wanted, Batch batch, CompletableFuture<Void> read) {}

  BatchLoader(DataSet data, Loading loading) {
    this.data = data;
    this.loading = loading;
    AtomicInteger number = new AtomicInteger();
    this.threads =
        Executors.newFixedThreadPool(
            Math.max(1, loading.workers()),
            task ->
                Thread.ofPlatform()
                    .name("halfcell-loader-" + number.incrementAndGet())
                    .daemon()
                    .unstarted(task));
    this.reader = loading.workers() == 0 ? Runnable::run : threads;
  }

  /** Begins to read; without workers it is done on return. */
  Begun begin(BatchOrder.Wanted wanted) {
    Deque<Batch> unused =
        free.computeIfAbsent(wanted.samples().length, _ -> new ArrayDeque<>(loading.ahead() + 1));
    Batch batch = unused.isEmpty() ? allocate(wanted.samples().length) : unused.pop();
    return new Begun(wanted, batch, CompletableFuture.runAsync(() -> fill(batch, wanted), reader));
  }

  /**
   * Waits for a batch.
   *
   * @throws DataException naming the sample that could not be read
   */
  Batch finish(Begun begun) {
    try {
      begun.read().join();
      return begun.batch();
    } catch (CompletionException e) {
      giveBack(begun.batch());
      switch (e.getCause()) {
        case RuntimeException failure -> throw failure;
        case Error failure -> throw failure;
        case null, default -> throw e;
      }
    }
  }

  /** Has a batch's memory used again. */
  void giveBack(Batch batch) {
    free.computeIfAbsent(batch.size(), _ -> new ArrayDeque<>()).push(batch);
  }

  private Batch allocate(int rows) {
    List<Tensor> inputs =
        data.sample().stream()
            .map(s -> scope.allocate(new TensorSpec(s.dtype(), s.shape().behind(rows))))
            .toList();
    return new Batch(inputs, scope.allocate(TensorSpec.of(DType.INT64, rows)));
  }

  private void fill(Batch batch, BatchOrder.Wanted wanted) {
    for (int row = 0; row < wanted.samples().length && !closed; row++) {
      long number = wanted.number() + row;
      read(wanted.samples()[row], batch.inputs(), row, number);
      Elements.set(batch.samples().data(), DType.INT64, row, (double) number);
    }
  }

  private void read(int index, List<Tensor> batch, int row, long number) {
    try {
      data.read(index, batch, row);
      loading.change().apply(batch, row, number);
    } catch (RuntimeException e) {
      String what = String.valueOf(e instanceof FrameworkException ? e.getMessage() : e);
      throw new DataException(
          new Problem(
              data.name(),
              "sample " + index,
              "a sample that can be read",
              what,
              "Correct it, or leave it out."),
          e);
    }
  }

  /** Ends the threads, and frees all batches once none of them is written to. */
  @Override
  public void close() {
    closed = true;
    threads.close();
    scope.close();
  }
}
