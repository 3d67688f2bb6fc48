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
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

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

  @Test
  void sizesThatMakeNoSenseAreRefused() {
    assertThrows(
        ArgumentException.class, () -> new BatchCursor(new Numbers(5), new Sampler.InOrder(), 0));
    assertThrows(
        ArgumentException.class, () -> new BatchCursor(new Numbers(0), new Sampler.InOrder(), 1));
  }
}
