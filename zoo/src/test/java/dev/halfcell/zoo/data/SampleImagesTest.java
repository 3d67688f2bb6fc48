package dev.halfcell.zoo.data;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.halfcell.tensor.ArgumentException;
import dev.halfcell.tensor.DType;
import dev.halfcell.tensor.DataException;
import dev.halfcell.tensor.Shape;
import dev.halfcell.tensor.TensorScope;
import dev.halfcell.tensor.TensorSpec;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Images of arrays, in the forms that networks take. */
final class SampleImagesTest {
  private static final int SIDE = 28;
  private static final TensorSpec ROWS = TensorSpec.of(DType.FP32, SIDE, SIDE);
  private static final TensorSpec COLOUR = TensorSpec.of(DType.FP32, 3, 32, 32);

  private final TensorScope scope = TensorScope.open();

  @AfterEach
  void close() {
    scope.close();
  }

  private static float[] counted(int count) {
    float[] numbers = new float[count];
    for (int i = 0; i < count; i++) {
      numbers[i] = i % 256;
    }
    return numbers;
  }

  private float[] as(SampleImages images, TensorSpec form) {
    double[] wide = images.as(form, 0, images.count(), scope).toArray();
    float[] numbers = new float[wide.length];
    for (int i = 0; i < wide.length; i++) {
      numbers[i] = (float) wide[i];
    }
    return numbers;
  }

  @Test
  void numbersAreTakenAsTheyAreAndPixelsAreScaledAsTheDataSets() {
    float[] numbers = counted(2 * SIDE * SIDE);
    Shape two = Shape.of(2, 1, SIDE, SIDE);
    assertArrayEquals(numbers, as(SampleImages.of("test", two, numbers, false), ROWS));
    float[] scaled = as(SampleImages.of("test", two, numbers, true), ROWS);
    for (int i = 0; i < scaled.length; i++) {
      assertEquals(FashionImages.normalised((int) numbers[i]), scaled[i]);
    }
  }

  @Test
  void theNetworksOwnFormIsTakenAsItIs() {
    float[] numbers = counted(3 * 32 * 32);
    Shape own = Shape.of(1, 3, 32, 32);
    assertArrayEquals(numbers, as(SampleImages.of("test", own, numbers, false), COLOUR));
    assertEquals(
        List.of(Shape.of(1, SIDE, SIDE), Shape.of(3, 32, 32)), SampleImages.shapes(COLOUR));
    assertEquals(List.of(Shape.of(1, SIDE, SIDE)), SampleImages.shapes(ROWS));
  }

  @Test
  void whatIsChangedAfterwardsIsOfNoMatter() {
    float[] numbers = counted(SIDE * SIDE);
    SampleImages images =
        SampleImages.of("test", Shape.of(1, 1, SIDE, SIDE), numbers.clone(), false);
    float[] own = numbers.clone();
    SampleImages other = SampleImages.of("test", Shape.of(1, 1, SIDE, SIDE), own, false);
    own[0] = 99;
    assertArrayEquals(as(images, ROWS), as(other, ROWS));
  }

  @Test
  void whatDoesNotFitIsRefused() {
    assertThrows(
        ArgumentException.class,
        () -> SampleImages.of("test", Shape.of(1, 1, SIDE, SIDE), new float[5], false));
    assertThrows(
        ArgumentException.class,
        () -> SampleImages.of("test", Shape.of(1, SIDE, SIDE), counted(SIDE * SIDE), false));
    SampleImages thin = SampleImages.of("test", Shape.of(1, 1, SIDE, 2), counted(2 * SIDE), false);
    DataException refused = assertThrows(DataException.class, () -> thin.as(COLOUR, 0, 1, scope));
    assertTrue(refused.problem().expected().contains("[3, 32, 32]"));
    float[] infinite = counted(SIDE * SIDE);
    infinite[7] = Float.NaN;
    SampleImages odd = SampleImages.of("test", Shape.of(1, 1, SIDE, SIDE), infinite, false);
    assertThrows(DataException.class, () -> odd.as(ROWS, 0, 1, scope));
  }

  /** Without bringing any of them into the form. */
  @Test
  void whatDoesNotFitIsFoundBeforehand() {
    SampleImages thin = SampleImages.of("test", Shape.of(1, 1, SIDE, 2), counted(2 * SIDE), false);
    DataException refused = assertThrows(DataException.class, () -> thin.requireFor(COLOUR));
    assertTrue(refused.problem().expected().contains("[3, 32, 32]"));
    float[] infinite = counted(3 * SIDE * SIDE);
    infinite[2 * SIDE * SIDE + 7] = Float.NaN;
    SampleImages odd = SampleImages.of("test", Shape.of(3, 1, SIDE, SIDE), infinite, false);
    refused = assertThrows(DataException.class, () -> odd.requireFor(ROWS));
    assertEquals("NaN in image 2", refused.problem().got());
  }

  @Test
  void someOfThemAreThoseOfAll() {
    float[] numbers = counted(3 * SIDE * SIDE);
    SampleImages images = SampleImages.of("test", Shape.of(3, 1, SIDE, SIDE), numbers, false);
    images.requireFor(ROWS);
    assertEquals(3, images.count());
    double[] two = images.as(ROWS, 1, 2, scope).toArray();
    double[] all = images.as(ROWS, 0, 3, scope).toArray();
    assertArrayEquals(Arrays.copyOfRange(all, SIDE * SIDE, all.length), two);
  }
}
