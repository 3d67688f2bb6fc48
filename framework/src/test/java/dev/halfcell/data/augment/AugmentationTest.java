package dev.halfcell.data.augment;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.halfcell.op.CellPath;
import dev.halfcell.op.random.RandomKey;
import dev.halfcell.tensor.ArgumentException;
import dev.halfcell.tensor.DType;
import dev.halfcell.tensor.Tensor;
import dev.halfcell.tensor.TensorScope;
import dev.halfcell.tensor.TensorSpec;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class AugmentationTest {
  private static final int CHANNELS = 2;
  private static final int HEIGHT = 3;
  private static final int WIDTH = 4;

  /** Pixel (c, y, x) is 100 c + 10 y + x + 1. */
  private static Image image() {
    Image image = new Image(CHANNELS, HEIGHT, WIDTH);
    for (int i = 0; i < image.pixels().length; i++) {
      int inPlane = i % image.plane();
      image.pixels()[i] = 100 * (i / image.plane()) + 10 * (inPlane / WIDTH) + inPlane % WIDTH + 1;
    }
    return image;
  }

  private static Draws draws(long sample) {
    return new Draws(new RandomKey(3, new CellPath("test"), 0).stream(), sample);
  }

  /** What shifting by so much gives, pixel by pixel. */
  private static float[] shifted(int down, int right, float fill) {
    Image from = image();
    float[] to = new float[from.pixels().length];
    for (int c = 0; c < CHANNELS; c++) {
      for (int y = 0; y < HEIGHT; y++) {
        for (int x = 0; x < WIDTH; x++) {
          int sourceY = y - down;
          int sourceX = x - right;
          boolean inside = sourceY >= 0 && sourceY < HEIGHT && sourceX >= 0 && sourceX < WIDTH;
          to[(c * HEIGHT + y) * WIDTH + x] =
              inside ? from.pixels()[(c * HEIGHT + sourceY) * WIDTH + sourceX] : fill;
        }
      }
    }
    return to;
  }

  @Test
  void aShiftMovesEveryPixelAndFillsTheRest() {
    for (int down = -HEIGHT; down <= HEIGHT; down++) {
      for (int right = -WIDTH; right <= WIDTH; right++) {
        Image image = image();
        image.shift(down, right, 7);
        assertArrayEquals(shifted(down, right, 7), image.pixels(), down + ", " + right);
      }
    }
  }

  @Test
  void aCropTakesEachPlaceWithTheSameProbability() {
    Map<String, Integer> places = new HashMap<>();
    for (int sample = 0; sample < 9000; sample++) {
      Image image = image();
      new RandomCrop(1, -1).apply(image, draws(sample));
      places.merge(Arrays.toString(image.pixels()), 1, Integer::sum);
    }
    List<String> all =
        IntStream.rangeClosed(-1, 1)
            .boxed()
            .flatMap(
                down ->
                    IntStream.rangeClosed(-1, 1)
                        .mapToObj(right -> Arrays.toString(shifted(down, right, -1))))
            .toList();
    assertEquals(9, places.size());
    all.forEach(place -> assertEquals(1000, places.getOrDefault(place, 0), 150, place));
  }

  @Test
  void aFlipMirrorsRowsAsOftenAsItsProbabilitySays() {
    float[] mirrored = image().pixels().clone();
    for (int line = 0; line < CHANNELS * HEIGHT; line++) {
      for (int x = 0; x < WIDTH; x++) {
        mirrored[line * WIDTH + x] = image().pixels()[line * WIDTH + WIDTH - 1 - x];
      }
    }
    int flips = 0;
    for (int sample = 0; sample < 4000; sample++) {
      Image image = image();
      new RandomHorizontalFlip(0.25).apply(image, draws(sample));
      boolean flipped = Arrays.equals(mirrored, image.pixels());
      assertTrue(flipped || Arrays.equals(image().pixels(), image.pixels()));
      flips += flipped ? 1 : 0;
    }
    assertEquals(1000, flips, 120);
    Image always = image();
    new RandomHorizontalFlip(1).apply(always, draws(1));
    assertArrayEquals(mirrored, always.pixels());
  }

  @Test
  void normalisingSubtractsAndDividesChannelByChannel() {
    Image image = image();
    new Normalize(List.of(1.0, 101.0), List.of(2.0, 4.0)).apply(image, draws(0));
    assertEquals(0, image.pixels()[0]);
    assertEquals(11.5, image.pixels()[HEIGHT * WIDTH - 1]);
    assertEquals(5.75, image.pixels()[2 * HEIGHT * WIDTH - 1]);
    Image alike = image();
    new Normalize(List.of(1.0), List.of(2.0)).apply(alike, draws(0));
    assertEquals(50, alike.pixels()[HEIGHT * WIDTH]);
  }

  /** Each pixel is the middle of a square as often as any other. */
  @Test
  void cutOutCoversSquaresOfAllChannelsWithMiddlesEverywhere() {
    Map<Integer, Integer> middles = new HashMap<>();
    for (int sample = 0; sample < 6000; sample++) {
      Image image = image();
      new CutOut(1).apply(image, draws(sample));
      int[] covered =
          IntStream.range(0, HEIGHT * WIDTH).filter(i -> image.pixels()[i] == 0).toArray();
      assertEquals(1, covered.length);
      assertEquals(0, image.pixels()[HEIGHT * WIDTH + covered[0]]);
      middles.merge(covered[0], 1, Integer::sum);
    }
    assertEquals(HEIGHT * WIDTH, middles.size());
    middles.values().forEach(count -> assertEquals(500, count, 100));
  }

  @Test
  void squaresAreCutAtTheBorder() {
    Image image = image();
    image.fill(-1, 2, 3, 3, 5);
    float[] expected = image().pixels().clone();
    for (int c = 0; c < CHANNELS; c++) {
      for (int y = 0; y < 2; y++) {
        for (int x = 2; x < WIDTH; x++) {
          expected[(c * HEIGHT + y) * WIDTH + x] = 5;
        }
      }
    }
    assertArrayEquals(expected, image.pixels());
    Image patches = image();
    new CutOut(6, 3, 9).apply(patches, draws(0));
    assertTrue(IntStream.range(0, 24).anyMatch(i -> patches.pixels()[i] == 9));
  }

  @Test
  void whatIsDrawnFollowsFromSeedPlaceInTheListAndSampleAlone() {
    TensorSpec spec = TensorSpec.of(DType.FP32, CHANNELS, HEIGHT, WIDTH);
    List<Augmentation> list = List.of(new RandomCrop(2), new RandomHorizontalFlip());
    try (TensorScope scope = TensorScope.open()) {
      Augmentations augmentations = Augmentations.of(list, List.of(spec), 11);
      Tensor alone = batch(scope, 1);
      augmentations.apply(List.of(alone), 0, 1234);
      Tensor among = batch(scope, 3);
      augmentations.apply(List.of(among), 1, 1234);
      int size = (int) spec.size();
      assertArrayEquals(alone.toArray(), Arrays.copyOfRange(among.toArray(), size, 2 * size));
      double[] untouched = new double[size];
      Arrays.setAll(untouched, i -> image().pixels()[i]);
      assertArrayEquals(untouched, Arrays.copyOfRange(among.toArray(), 0, size));
      assertArrayEquals(untouched, Arrays.copyOfRange(among.toArray(), 2 * size, 3 * size));

      boolean seedMatters = false;
      boolean numberMatters = false;
      for (int sample = 0; sample < 20; sample++) {
        String first = changed(Augmentations.of(list, List.of(spec), 11), sample);
        seedMatters |= !first.equals(changed(Augmentations.of(list, List.of(spec), 12), sample));
        numberMatters |= !first.equals(changed(augmentations, sample + 100));
      }
      assertTrue(seedMatters && numberMatters);
    }
  }

  private static String changed(Augmentations by, long number) {
    try (TensorScope scope = TensorScope.open()) {
      Tensor batch = batch(scope, 1);
      by.apply(List.of(batch), 0, number);
      return Arrays.toString(batch.toArray());
    }
  }

  private static Tensor batch(TensorScope scope, int rows) {
    int size = CHANNELS * HEIGHT * WIDTH;
    double[] values = new double[rows * size];
    Arrays.setAll(values, i -> image().pixels()[i % size]);
    return Tensor.of(scope, TensorSpec.of(DType.FP32, rows, CHANNELS, HEIGHT, WIDTH), values);
  }

  @Test
  void whatDoesNotFitIsRefused() {
    refused(new RandomCrop(3), TensorSpec.of(DType.FP32, 3, 8));
    refused(
        new Normalize(List.of(1.0, 2.0), List.of(1.0, 2.0)), TensorSpec.of(DType.FP32, 3, 8, 8));
    refused(new CutOut(17), TensorSpec.of(DType.FP32, 8, 8));
    refused(new CutOut(1), TensorSpec.of(DType.FP32, 8));
    refused(new CutOut(1), TensorSpec.of(DType.UINT8, 8, 8));
    assertThrows(ArgumentException.class, () -> new RandomCrop(0));
    assertThrows(ArgumentException.class, () -> new RandomCrop(1, Float.NaN));
    assertThrows(ArgumentException.class, () -> new RandomHorizontalFlip(1.5));
    assertThrows(ArgumentException.class, () -> new RandomHorizontalFlip(Double.NaN));
    assertThrows(ArgumentException.class, () -> new Normalize(List.of(), List.of()));
    assertThrows(ArgumentException.class, () -> new Normalize(List.of(1.0), List.of(0.0)));
    assertThrows(ArgumentException.class, () -> new Normalize(List.of(1.0), List.of(1.0, 2.0)));
    assertThrows(ArgumentException.class, () -> new CutOut(0));
    assertThrows(ArgumentException.class, () -> new CutOut(1, 0, 0));
    assertThrows(ArgumentException.class, () -> new CutOut(1, 1, Float.POSITIVE_INFINITY));
  }

  private static void refused(Augmentation augmentation, TensorSpec sample) {
    assertThrows(
        ArgumentException.class, () -> Augmentations.of(List.of(augmentation), List.of(sample), 1));
  }

  /** What draws would test a network on images that nobody took. */
  @Test
  void whatChangesAnImageAccordingToDrawsIsSaidToBeRandom() {
    for (Augmentation one :
        List.of(
            new RandomCrop(2),
            new RandomHorizontalFlip(),
            new CutOut(2),
            new Normalize(List.of(0.5), List.of(2.0)))) {
      Set<List<Float>> results = new HashSet<>();
      for (long sample = 0; sample < 64; sample++) {
        Image changed = image();
        one.apply(changed, draws(sample));
        results.add(
            IntStream.range(0, changed.pixels().length)
                .mapToObj(i -> changed.pixels()[i])
                .toList());
      }
      assertEquals(one.random(), results.size() > 1, one::toString);
    }
  }
}
