package dev.halfcell.zoo.data;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.halfcell.data.DataFingerprint;
import dev.halfcell.data.DataSet;
import dev.halfcell.tensor.ArgumentException;
import dev.halfcell.tensor.DType;
import dev.halfcell.tensor.Tensor;
import dev.halfcell.tensor.TensorScope;
import dev.halfcell.tensor.TensorSpec;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

final class SyntheticDataTest {
  private static final TensorSpec FORM = TensorSpec.of(DType.FP32, 3, 8, 8);

  private final TensorScope scope = TensorScope.open();

  @AfterEach
  void close() {
    scope.close();
  }

  private static DataSetDefinition definition(TensorSpec form, long seed) {
    return SyntheticData.inPlaceOf(FashionMnist.definition(), form, seed);
  }

  private static DataSet train(TensorSpec form, long seed) {
    return definition(form, seed).open(Optional.empty(), form).train();
  }

  private List<Tensor> read(DataSet data, int... samples) {
    List<Tensor> batch =
        data.sample().stream()
            .map(part -> scope.allocate(part.as(part.shape().behind(samples.length))))
            .toList();
    IntStream.range(0, samples.length).forEach(row -> data.read(samples[row], batch, row));
    return batch;
  }

  @Test
  void hasAsManySamplesOfAsManyClassesAsTheDataItStandsFor() {
    DataSet data = train(FORM, 1);
    assertEquals(60_000, data.size());
    assertEquals(10, data.classes());
    assertEquals(List.of(FORM, TensorSpec.of(DType.INT64)), data.sample());
    assertEquals(0, definition(FORM, 1).open(Optional.empty()).test().size());
    assertEquals(
        "synthetic (seed 1, 60,000 train / no test)",
        definition(FORM, 1).open(Optional.empty()).description());
  }

  @Test
  void theSameSeedGivesTheSameNumbersAndAnotherOneOthers() {
    List<Tensor> one = read(train(FORM, 1), 0, 7);
    List<Tensor> same = read(train(FORM, 1), 0, 7);
    assertTrue(one.getFirst().sameBits(same.getFirst()));
    assertTrue(one.getLast().sameBits(same.getLast()));
    assertFalse(one.getFirst().sameBits(read(train(FORM, 2), 0, 7).getFirst()));
  }

  @Test
  void samplesDifferAndComeAgain() {
    DataSet data = train(FORM, 1);
    Tensor first = read(data, 0).getFirst();
    assertFalse(first.sameBits(read(data, 1).getFirst()));
    assertFalse(first.sameBits(read(data, SyntheticData.DIFFERENT - 1).getFirst()));
    List<Tensor> again = read(data, SyntheticData.DIFFERENT);
    assertTrue(first.sameBits(again.getFirst()));
    assertTrue(read(data, 0).getLast().sameBits(again.getLast()));
    assertThrows(IndexOutOfBoundsException.class, () -> read(data, 60_000));
  }

  @Test
  void numbersAreAsThoseOfNormalisedImagesAndAllClassesOccur() {
    List<Tensor> batch = read(train(FORM, 1), IntStream.range(0, 64).toArray());
    int count = 64 * 3 * 8 * 8;
    double[] values = IntStream.range(0, count).mapToDouble(batch.getFirst()::at).toArray();
    double mean = IntStream.range(0, count).mapToDouble(i -> values[i]).average().orElseThrow();
    double square =
        IntStream.range(0, count).mapToDouble(i -> values[i] * values[i]).average().orElseThrow();
    assertEquals(0, mean, 0.05);
    assertEquals(1, square, 0.05);
    assertEquals(10, IntStream.range(0, 64).mapToDouble(batch.getLast()::at).distinct().count());
  }

  @Test
  void itsFingerprintFollowsFromSeedAndShape() {
    String one = DataFingerprint.of(train(FORM, 1));
    assertEquals(one, DataFingerprint.of(train(FORM, 1)));
    assertNotEquals(one, DataFingerprint.of(train(FORM, 2)));
    TensorSpec other = TensorSpec.of(DType.FP32, 3, 64, 1);
    assertNotEquals(one, DataFingerprint.of(train(other, 1)));
  }

  @Test
  void itLiesNowhereAndKnowsNothingOfFiles() {
    DataSetDefinition data = definition(FORM, 1);
    ArgumentException place =
        assertThrows(ArgumentException.class, () -> data.open(Optional.of("somewhere")));
    assertEquals("no place, for it is made and not read", place.problem().expected());
    ArgumentException file =
        assertThrows(ArgumentException.class, () -> data.files().read(Path.of("boot.npy"), FORM));
    assertEquals("a run on real data", file.problem().expected());
    assertThrows(ArgumentException.class, () -> train(TensorSpec.of(DType.INT32, 3), 1));
  }

  @Test
  void itTakesWhatIsSaidOfIt() {
    long taken = definition(FORM, 1).size().bytes();
    long numbers = 3 * 8 * 8 + (SyntheticData.DIFFERENT - 1) * SyntheticData.STEP;
    assertTrue(taken >= 4 * numbers && taken < 4 * numbers + 60_000, taken + " bytes");
  }
}
