package dev.halfcell.data;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.halfcell.tensor.ArgumentException;
import dev.halfcell.tensor.DType;
import dev.halfcell.tensor.Elements;
import dev.halfcell.tensor.Tensor;
import dev.halfcell.tensor.TensorSpec;
import java.util.Arrays;
import java.util.List;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class BatchCursorTest {
  /** Sample n is the number n, with label n mod 3. */
  private record Numbers(int size) implements DataSet {
    @Override
    public String name() {
      return "numbers";
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
      Elements.set(batch.get(0).data(), DType.FP32, row, index);
      Elements.set(batch.get(1).data(), DType.INT64, row, index % 3);
    }
  }

  @Test
  void epochsEndWithWhatIsLeft() {
    try (BatchCursor cursor = new BatchCursor(new Numbers(5), new Sampler.InOrder(), 2)) {
      assertEquals(3, cursor.batchesPerEpoch());
      assertArrayEquals(new double[] {0, 1}, cursor.next().inputs().getFirst().toArray());
      assertArrayEquals(new double[] {2, 0}, cursor.next().inputs().getLast().toArray());
      Batch last = cursor.next();
      assertArrayEquals(new double[] {4}, last.inputs().getFirst().toArray());
      assertArrayEquals(new double[] {4}, last.samples().toArray());
      assertEquals(1, cursor.epoch());
      assertArrayEquals(new double[] {5, 6}, cursor.next().samples().toArray());
    }
  }

  @Test
  void aShuffledEpochVisitsEachSampleOnceInAnOrderOfItsOwn() {
    Sampler sampler = new Sampler.Shuffled(7);
    int[] first = sampler.order(1000, 0);
    int[] second = sampler.order(1000, 1);
    assertArrayEquals(first, sampler.order(1000, 0));
    assertFalse(Arrays.equals(first, second));
    assertFalse(Arrays.equals(first, new Sampler.Shuffled(8).order(1000, 0)));
    int[] sorted = first.clone();
    Arrays.sort(sorted);
    assertArrayEquals(IntStream.range(0, 1000).toArray(), sorted);
    double moved =
        IntStream.range(0, 1000).map(i -> Math.abs(first[i] - i)).average().orElseThrow();
    assertEquals(333, moved, 40, "the mean distance of a random permutation is n / 3");
  }

  private static List<BatchCursor> threeRanks(int samples) {
    return IntStream.range(0, 3)
        .mapToObj(
            rank ->
                new BatchCursor(
                    new Numbers(samples),
                    new Sampler.Shuffled(5),
                    2,
                    Loading.direct(),
                    new Share(rank, 3)))
        .toList();
  }

  /** The samples of these batches behind each other, and their numbers. */
  private static List<List<Double>> joined(List<Batch> batches) {
    return List.of(
        values(batches, batch -> batch.inputs().getFirst()), values(batches, Batch::samples));
  }

  private static List<Double> values(List<Batch> batches, Function<Batch, Tensor> part) {
    return batches.stream()
        .flatMap(batch -> Arrays.stream(part.apply(batch).toArray()).boxed())
        .toList();
  }

  /** Samples and numbers are those of one cursor whose batches are as large as theirs together. */
  @ParameterizedTest
  @ValueSource(ints = {12, 15, 18})
  void ranksTogetherTakeWhatOneTakes(int samples) {
    List<BatchCursor> ranks = threeRanks(samples);
    try (BatchCursor one = new BatchCursor(new Numbers(samples), new Sampler.Shuffled(5), 6)) {
      assertEquals(one.batchesPerEpoch(), ranks.getFirst().batchesPerEpoch());
      for (int step = 0; step < 3 * one.batchesPerEpoch(); step++) {
        ranks.forEach(each -> assertEquals(one.position(), each.position()));
        assertEquals(
            joined(List.of(one.next())), joined(ranks.stream().map(BatchCursor::next).toList()));
      }
      assertEquals(3, one.epoch());
    }
    ranks.forEach(BatchCursor::close);
  }

  /** 17 are two steps of six and one of three. */
  @Test
  void whatIsLeftIsSharedOutEvenly() {
    List<BatchCursor> ranks = threeRanks(17);
    assertEquals(3, ranks.getFirst().batchesPerEpoch());
    ranks.forEach(each -> each.goTo(new DataPosition(1, 12)));
    List<Batch> last = ranks.stream().map(BatchCursor::next).toList();
    assertEquals(List.of(29.0, 30.0, 31.0), values(last, Batch::samples));
    ranks.forEach(each -> assertEquals(new DataPosition(2, 0), each.position()));
    ranks.forEach(BatchCursor::close);
  }

  /** Two of 14 are too few for three ranks. */
  @Test
  void fewerThanThereAreRanksAreLeftOut() {
    List<BatchCursor> ranks = threeRanks(14);
    BatchCursor rank = ranks.getFirst();
    assertEquals(2, rank.batchesPerEpoch());
    rank.next();
    rank.next();
    assertEquals(new DataPosition(1, 0), rank.position());
    assertThrows(ArgumentException.class, () -> rank.goTo(new DataPosition(0, 12)));
    ranks.forEach(BatchCursor::close);
  }

  @Test
  void aShareIsOfARankThatThereIs() {
    assertThrows(ArgumentException.class, () -> new Share(3, 3));
    assertThrows(ArgumentException.class, () -> new Share(0, 0));
    Share half = new Share(0, 2);
    ArgumentException refused =
        assertThrows(
            ArgumentException.class,
            () ->
                new BatchCursor(new Numbers(5), new Sampler.InOrder(), 3, Loading.direct(), half));
    assertEquals(
        "at most the 5 samples of numbers, of which each of 2 ranks has 2",
        refused.problem().expected());
  }

  @Test
  void sizesThatMakeNoSenseAreRefused() {
    assertThrows(
        ArgumentException.class, () -> new BatchCursor(new Numbers(5), new Sampler.InOrder(), 0));
    assertThrows(
        ArgumentException.class, () -> new BatchCursor(new Numbers(0), new Sampler.InOrder(), 1));
  }
}
