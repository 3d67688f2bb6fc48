package dev.halfcell.data;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.halfcell.tensor.ArgumentException;
import dev.halfcell.tensor.DType;
import dev.halfcell.tensor.DataException;
import dev.halfcell.tensor.Elements;
import dev.halfcell.tensor.Tensor;
import dev.halfcell.tensor.TensorSpec;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntConsumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class LoadingTest {
  private static final int SIZE = 23;

  /** Sample n is the number n; {@code reading} is told before each is read. */
  private record Numbers(IntConsumer reading) implements DataSet {
    @Override
    public String name() {
      return "numbers";
    }

    @Override
    public int size() {
      return SIZE;
    }

    @Override
    public int classes() {
      return 3;
    }

    @Override
    public List<TensorSpec> sample() {
      return List.of(TensorSpec.of(DType.FP32, 1), TensorSpec.of(DType.INT64));
    }

    @Override
    public void read(int index, List<Tensor> batch, int row) {
      reading.accept(index);
      Elements.set(batch.get(0).data(), DType.FP32, row, index);
      Elements.set(batch.get(1).data(), DType.INT64, row, index % 3);
    }
  }

  /** Adds the sample's running number, as an augmentation would draw by it. */
  private static final SampleChange BY_NUMBER =
      (batch, row, number) -> {
        double value = Elements.get(batch.getFirst().data(), DType.FP32, row);
        Elements.set(batch.getFirst().data(), DType.FP32, row, value + 1000 * number);
      };

  private static BatchCursor cursor(Loading loading, IntConsumer reading) {
    return new BatchCursor(new Numbers(reading), new Sampler.Shuffled(5), 4, loading);
  }

  private static List<String> batches(BatchCursor cursor, int count) {
    List<String> read = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      Batch batch = cursor.next();
      read.add(
          batch.tensors().stream().map(t -> Arrays.toString(t.toArray())).toList()
              + " then "
              + cursor.position());
    }
    return read;
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 4})
  void anyNumberOfWorkersGivesTheSameBatches(int workers) {
    try (BatchCursor direct = cursor(Loading.direct().change(BY_NUMBER), _ -> {});
        BatchCursor ahead =
            cursor(Loading.direct().change(BY_NUMBER).workers(workers), _ -> Thread.onSpinWait())) {
      assertEquals(batches(direct, 25), batches(ahead, 25));
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 3})
  void aCursorGoesOnFromAnyPlaceThatOneHasStoodAt(int workers) {
    Loading loading = Loading.direct().change(BY_NUMBER).workers(workers);
    for (int steps = 0; steps < 14; steps++) {
      try (BatchCursor first = cursor(loading, _ -> {});
          BatchCursor second = cursor(loading, _ -> {})) {
        batches(first, steps);
        batches(second, 2);
        second.goTo(first.position());
        assertEquals(first.epoch(), second.epoch());
        assertEquals(first.atEpochStart(), second.atEpochStart());
        assertEquals(batches(first, 9), batches(second, 9));
      }
    }
  }

  /** Also across the end of an epoch, and where the cursor goes elsewhere after all. */
  @ParameterizedTest
  @ValueSource(ints = {0, 1, 3})
  void theUpcomingBatchIsTheNextOneAndMovesNothing(int workers) {
    Loading loading = Loading.direct().change(BY_NUMBER).workers(workers);
    try (BatchCursor plain = cursor(loading, _ -> {});
        BatchCursor cursor = cursor(loading, _ -> {})) {
      for (int i = 0; i < 14; i++) {
        List<String> expected = batches(plain, 1);
        DataPosition before = cursor.position();
        Batch upcoming = cursor.upcoming().orElseThrow();
        assertEquals(before, cursor.position());
        assertSame(upcoming, cursor.upcoming().orElseThrow());
        double[] seen = upcoming.inputs().getFirst().toArray();
        assertEquals(expected, batches(cursor, 1));
        assertEquals(
            Arrays.toString(seen), Arrays.toString(upcoming.inputs().getFirst().toArray()));
      }
      assertTrue(cursor.upcoming().isPresent());
      plain.goTo(new DataPosition(0, 8));
      cursor.goTo(new DataPosition(0, 8));
      assertEquals(batches(plain, 3), batches(cursor, 3));
    }
  }

  @Test
  void placesWhereNoBatchBeginsAreRefused() {
    try (BatchCursor cursor = cursor(Loading.direct(), _ -> {})) {
      assertThrows(ArgumentException.class, () -> cursor.goTo(new DataPosition(0, 3)));
      assertThrows(ArgumentException.class, () -> cursor.goTo(new DataPosition(0, 24)));
      assertThrows(ArgumentException.class, () -> new DataPosition(-1, 0));
      assertThrows(ArgumentException.class, () -> new DataPosition(0, -1));
      assertEquals(DataPosition.start(), cursor.position());
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 4})
  void aSampleThatCannotBeReadIsNamedWhenItsBatchIsTaken(int workers) {
    int[] order = new Sampler.Shuffled(5).order(SIZE, 0);
    IntConsumer poison =
        index -> {
          if (index == order[9]) {
            throw new IllegalStateException("a torn page");
          }
        };
    try (BatchCursor cursor = cursor(Loading.direct().workers(workers), poison);
        BatchCursor whole = cursor(Loading.direct(), _ -> {})) {
      assertEquals(batches(whole, 2), batches(cursor, 2));
      for (int again = 0; again < 2; again++) {
        assertEquals(Optional.empty(), cursor.upcoming());
        DataException refused = assertThrows(DataException.class, cursor::next);
        assertEquals("sample " + order[9], refused.problem().where());
        assertTrue(refused.problem().got().contains("a torn page"), refused.problem().got());
        assertEquals(new DataPosition(0, 8), cursor.position());
      }
      cursor.goTo(new DataPosition(0, 12));
      whole.goTo(new DataPosition(0, 12));
      assertEquals(batches(whole, 3), batches(cursor, 3));
    }
  }

  @Test
  void workersReadNoFurtherAheadThanTheyMayAndUseMemoryAgain() {
    AtomicInteger reads = new AtomicInteger();
    Set<Batch> memory = Collections.newSetFromMap(new IdentityHashMap<>());
    try (BatchCursor cursor =
        cursor(Loading.direct().workers(2).ahead(3), _ -> reads.incrementAndGet())) {
      for (int taken = 1; taken <= 30; taken++) {
        Batch batch = cursor.next();
        if (batch.size() == 4) {
          memory.add(batch);
        }
        assertTrue(reads.get() <= 4 * (taken + 3), reads + " samples read at batch " + taken);
      }
    }
    assertTrue(memory.size() <= 5, memory.size() + " batches in memory");
  }

  @Test
  void aWorkerIsWokenOnlyWhereHalfOfWhatItReadsAheadIsUsedUp() throws InterruptedException {
    AtomicInteger reads = new AtomicInteger();
    try (BatchCursor cursor = cursor(Loading.direct().workers(1), _ -> reads.incrementAndGet())) {
      for (int batches : new int[] {3, 3, 5, 5}) {
        var _ = cursor.next();
        while (reads.get() < 4 * batches) {
          Thread.sleep(1);
        }
        Thread.sleep(20);
        assertEquals(4 * batches, reads.get());
      }
    }
  }

  /** The batch that was taken may be read while later ones are. */
  @Test
  void aBatchStaysAsItIsUntilTheNextOneIsTaken() {
    try (BatchCursor direct = cursor(Loading.direct(), _ -> {});
        BatchCursor ahead = cursor(Loading.direct().workers(4).ahead(8), _ -> {})) {
      for (int i = 0; i < 200; i++) {
        double[] expected = direct.next().inputs().getFirst().toArray();
        Batch batch = ahead.next();
        Thread.onSpinWait();
        assertEquals(
            Arrays.toString(expected), Arrays.toString(batch.inputs().getFirst().toArray()));
      }
    }
  }

  @Test
  void closingWaitsForWhatIsBeingRead() throws InterruptedException {
    CountDownLatch reading = new CountDownLatch(1);
    AtomicInteger finished = new AtomicInteger();
    BatchCursor cursor =
        cursor(
            Loading.direct().workers(2),
            _ -> {
              reading.countDown();
              try {
                Thread.sleep(2);
              } catch (InterruptedException e) {
                throw new AssertionError("reading is not to be interrupted", e);
              }
              finished.incrementAndGet();
            });
    Thread taking = Thread.ofPlatform().start(cursor::next);
    reading.await();
    taking.join();
    cursor.close();
    int then = finished.get();
    Thread.sleep(10);
    assertEquals(then, finished.get());
    cursor.close();
  }

  @Test
  void workersWithoutAnythingToDoAreRefused() {
    assertThrows(ArgumentException.class, () -> Loading.direct().workers(-1));
    assertThrows(ArgumentException.class, () -> Loading.direct().workers(257));
    assertThrows(ArgumentException.class, () -> Loading.direct().ahead(1));
    assertThrows(ArgumentException.class, () -> Loading.direct().workers(2).ahead(0));
    assertEquals(
        Loading.direct().workers(0), new Loading(0, 0, Loading.direct().workers(0).change()));
  }
}
