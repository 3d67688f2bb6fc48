package dev.halfcell.testkit;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import dev.halfcell.op.Padding2d;
import dev.halfcell.op.convolution.Conv2dGeometry;
import dev.halfcell.op.loss.Targets;
import dev.halfcell.op.pooling.AdaptiveWindow2d;
import dev.halfcell.op.pooling.Window2d;
import dev.halfcell.op.precision.LossScale;
import dev.halfcell.op.precision.ScaleHabits;
import dev.halfcell.op.shape.Pad;
import dev.halfcell.op.shape.Slice;
import dev.halfcell.op.shape.Transpose;
import dev.halfcell.op.update.Plateau;
import dev.halfcell.op.update.Schedule;
import dev.halfcell.tensor.ArgumentException;
import java.lang.reflect.RecordComponent;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.function.Executable;

/** Every number that an op or a rule is made with is taken up to its border and refused behind. */
final class HyperParameterTest {
  private static final Set<String> NUMBERS =
      Set.of(
          "int",
          "long",
          "double",
          "java.util.OptionalInt",
          "java.util.OptionalLong",
          "java.util.List<java.lang.Integer>",
          "java.util.List<java.lang.Long>",
          "java.util.List<java.lang.Double>");

  /** Any number will do, or inputs decide whether it fits. */
  private static final Set<String> WITHOUT_BORDER =
      Set.of(
          "CoalesceRows.ignored",
          "Extreme.axes",
          "ExtremeGradient.axes",
          "HostFunctionGradient.inputs",
          "LogSoftmax.axis",
          "LogSoftmaxGradient.axis",
          "LogSumExp.axes",
          "Mean.axes",
          "Pad.value",
          "Repeat.axes",
          "ScatterAdd.ignored",
          "Softmax.axis",
          "SoftmaxGradient.axis",
          "Sum.axes",
          "Targets.ignored",
          "Transpose.permutation");

  @TestFactory
  Stream<DynamicTest> aNumberIsTakenUpToItsBorderAndRefusedBehindIt() {
    return borders().map(border -> dynamicTest(border.toString(), () -> check(border)));
  }

  private static Stream<Border> borders() {
    return Stream.concat(OpBorders.all(), RuleBorders.all());
  }

  private static void check(Border border) {
    for (double value : border.taken()) {
      assertDoesNotThrow(() -> border.make().apply(value), border + " = " + value);
    }
    for (double value : border.refused()) {
      requireRefusal(() -> border.make().apply(value), border + " = " + value);
    }
  }

  private static void requireRefusal(Executable makes, String what) {
    ArgumentException e = assertThrows(ArgumentException.class, makes, what);
    assertFalse(e.problem().subject().isBlank(), what);
    assertFalse(e.problem().expected().isBlank(), what);
    assertFalse(e.problem().got().isBlank(), what);
  }

  @Test
  void everyNumberHasABorder() {
    Set<String> tried = borders().map(Border::toString).collect(Collectors.toSet());
    List<String> without =
        Stream.of(
                SealedOps.records().stream(),
                Stream.of(Schedule.class.getPermittedSubclasses()),
                Stream.of(LossScale.class.getPermittedSubclasses()),
                Stream.of(
                    ScaleHabits.class,
                    Padding2d.class,
                    Conv2dGeometry.class,
                    Window2d.class,
                    AdaptiveWindow2d.class,
                    Targets.class))
            .flatMap(types -> types)
            .flatMap(HyperParameterTest::numbers)
            .filter(number -> !tried.contains(number) && !WITHOUT_BORDER.contains(number))
            .sorted()
            .toList();
    assertEquals(List.of(), without, "numbers without a border in OpBorders or RuleBorders");
  }

  private static Stream<String> numbers(Class<?> type) {
    return Stream.of(type.getRecordComponents())
        .filter(component -> NUMBERS.contains(component.getGenericType().getTypeName()))
        .map(RecordComponent::getName)
        .map(name -> type.getSimpleName() + "." + name);
  }

  @Test
  void numbersThatDoNotFitEachOtherAreRefused() {
    List<Integer> one = List.of(1);
    List<Integer> two = List.of(1, 1);
    requireRefusal(() -> new Pad(two, one, one, 0), "before for more axes");
    requireRefusal(() -> new Pad(one, two, one, 0), "between for more axes");
    requireRefusal(() -> new Pad(one, one, two, 0), "after for more axes");
    requireRefusal(() -> new Slice(two, one, one), "a start for more axes");
    requireRefusal(() -> new Slice(one, two, one), "a size for more axes");
    requireRefusal(() -> new Slice(one, one, two), "a stride for more axes");
    requireRefusal(() -> new Transpose(two), "an axis twice");
    requireRefusal(() -> new Transpose(one), "no axis 0");
    requireRefusal(() -> window(new Padding2d(2, 0, 0, 0)), "padding above as high as the window");
    requireRefusal(() -> window(new Padding2d(0, 2, 0, 0)), "padding below as high as the window");
    requireRefusal(() -> window(new Padding2d(0, 0, 3, 0)), "padding as wide as the window");
    requireRefusal(() -> window(new Padding2d(0, 0, 0, 3)), "padding as wide as the window");
    assertEquals(2, window(new Padding2d(1, 1, 2, 2)).outputHeight(1));
    requireRefusal(() -> piecewise(List.of(), List.of()), "no stretch");
    requireRefusal(() -> piecewise(List.of(1L), List.of(0.1)), "no first stretch");
    requireRefusal(() -> piecewise(List.of(0L), List.of(0.1, 0.2)), "a rate too many");
    requireRefusal(() -> new Plateau(new Plateau(1), 0.5, 1, 0.1, 0), "a plateau of a plateau");
  }

  private static Window2d window(Padding2d padding) {
    return new Window2d(2, 3, 1, 1, padding);
  }

  private static Schedule piecewise(List<Long> starts, List<Double> rates) {
    return new Schedule.Piecewise(starts, rates);
  }
}
