package dev.halfcell.nn;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.halfcell.op.loss.LossReduction;
import dev.halfcell.op.loss.Targets;
import dev.halfcell.tensor.ArgumentException;
import dev.halfcell.tensor.DType;
import dev.halfcell.tensor.DTypeException;
import dev.halfcell.tensor.DataException;
import dev.halfcell.tensor.Shape;
import dev.halfcell.tensor.ShapeException;
import dev.halfcell.tensor.Tensor;
import dev.halfcell.tensor.TensorScope;
import dev.halfcell.tensor.TensorSpec;
import java.lang.foreign.ValueLayout;
import java.util.List;
import java.util.OptionalLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Losses: worked examples, and what they refuse. */
class LossTest {
  private static final double NEAR = 1e-6;

  private final TensorScope scope = TensorScope.open();

  @AfterEach
  void close() {
    scope.close();
  }

  private Tensor floats(Shape shape, double... values) {
    return Tensor.of(scope, new TensorSpec(DType.FP32, shape), values);
  }

  private Tensor longs(Shape shape, double... values) {
    return Tensor.of(scope, new TensorSpec(DType.INT64, shape), values);
  }

  private double loss(Cell net, Tensor... in) {
    double[] loss = CellRun.evaluate(net, scope, in);
    assertEquals(1, loss.length);
    return loss[0];
  }

  private void assertEach(Cell net, List<Double> wanted, Tensor... in) {
    double[] each = CellRun.evaluate(net, scope, in);
    assertArrayEquals(wanted.stream().mapToDouble(v -> v).toArray(), each, NEAR);
  }

  /** Logits of 0 and log 3: probabilities 1/4 and 3/4. */
  private Tensor quarters() {
    return floats(Shape.of(2, 2), 0, Math.log(3), 0, Math.log(3));
  }

  @Test
  void smoothingSpreadsTheTarget() {
    Tensor labels = longs(Shape.of(2), 1, 1);
    double ofLabel = -Math.log(0.75);
    double ofOther = -Math.log(0.25);
    assertEquals(ofLabel, loss(new SoftmaxCrossEntropyLoss(), quarters(), labels), NEAR);
    assertEquals(
        0.9 * ofLabel + 0.1 * ofOther,
        loss(new SoftmaxCrossEntropyLoss(0.2), quarters(), labels),
        NEAR);
  }

  @Test
  void ignoredRowsAreLeftOutOfTheMean() {
    Cell net = new SoftmaxCrossEntropyLoss(0, -100);
    double one = loss(net, quarters(), longs(Shape.of(2), 1, -100));
    assertEquals(-Math.log(0.75), one, NEAR);
    assertEquals(0, loss(net, quarters(), longs(Shape.of(2), -100, -100)));
  }

  @Test
  void sumsLeaveOutWhatMeansLeaveOut() {
    Targets padded = new Targets(0, OptionalLong.of(-100));
    Tensor labels = longs(Shape.of(2), 1, -100);
    Cell sum = new SoftmaxCrossEntropyLoss(padded, LossReduction.SUM);
    Cell each = new SoftmaxCrossEntropyLoss(padded, LossReduction.NONE);
    assertEquals(-Math.log(0.75), loss(sum, quarters(), labels), NEAR);
    assertEach(each, List.of(-Math.log(0.75), 0.0), quarters(), labels);
    assertEquals(
        -2 * Math.log(0.75),
        loss(new SoftmaxCrossEntropyLoss(LossReduction.SUM), quarters(), longs(Shape.of(2), 1, 1)),
        NEAR);
  }

  @Test
  void distancesAreSummedOrLeftApart() {
    Tensor x = floats(Shape.of(1, 3), 1, 2, 4);
    Tensor target = floats(Shape.of(1, 3), 1, 2.5, 1);
    assertEquals(9.25, loss(new MSELoss(LossReduction.SUM), x, target), NEAR);
    assertEquals(3.5, loss(new L1Loss(LossReduction.SUM), x, target), NEAR);
    assertEquals(2.625, loss(new SmoothL1Loss(1, LossReduction.SUM), x, target), NEAR);
    assertEach(new MSELoss(LossReduction.NONE), List.of(0.0, 0.25, 9.0), x, target);
    assertEach(new L1Loss(LossReduction.NONE), List.of(0.0, 0.5, 3.0), x, target);
    Tensor logits = floats(Shape.of(2), 0, Math.log(3));
    Tensor ones = floats(Shape.of(2), 1, 1);
    List<Double> entropies = List.of(Math.log(2), -Math.log(0.75));
    assertEach(new BCEWithLogitsLoss(LossReduction.NONE), entropies, logits, ones);
  }

  /** Of two samples with one and two labels only the mean divides by the number of labels. */
  @Test
  void sumsOfAlignmentsAreNotDividedByLabels() {
    Tensor[] in = {
      floats(Shape.of(3, 2, 2), new double[12]),
      longs(Shape.of(2, 2), 1, 1, 1, 1),
      longs(Shape.of(2), 1, 3),
      longs(Shape.of(2), 1, 2)
    };
    double first = Math.log(2);
    double second = 3 * Math.log(2);
    assertEquals((first + second / 2) / 2, loss(new CTCLoss(), in), NEAR);
    assertEquals(first + second, loss(new CTCLoss(0, LossReduction.SUM, false), in), NEAR);
    assertEach(new CTCLoss(0, LossReduction.NONE, false), List.of(first, second), in);
  }

  @ParameterizedTest
  @ValueSource(longs = {-1, 2, Long.MAX_VALUE, Long.MIN_VALUE})
  void aLabelOutOfRangeIsNamed(long label) {
    Tensor labels = scope.allocate(TensorSpec.of(DType.INT64, 2));
    labels.data().setAtIndex(ValueLayout.JAVA_LONG, 1, label);
    DataException e =
        assertThrows(
            DataException.class, () -> loss(new SoftmaxCrossEntropyLoss(), quarters(), labels));
    assertEquals("labels from 0 to 1 (2 classes)", e.problem().expected());
    assertEquals("label " + label + " in row 1", e.problem().got());
  }

  @Test
  void labelsAreIntegers() {
    Tensor fractions = floats(Shape.of(2), 0.5, 1);
    assertThrows(
        DTypeException.class, () -> loss(new SoftmaxCrossEntropyLoss(), quarters(), fractions));
  }

  @Test
  void distancesAreMeans() {
    Tensor x = floats(Shape.of(1, 3), 1, 2, 4);
    Tensor target = floats(Shape.of(1, 3), 1, 2.5, 1);
    assertEquals(9.25 / 3, loss(new MSELoss(), x, target), NEAR);
    assertEquals(3.5 / 3, loss(new L1Loss(), x, target), NEAR);
    assertEquals((0.125 + 2.5) / 3, loss(new SmoothL1Loss(), x, target), NEAR);
    assertEquals((0.0625 + 2) / 3, loss(new SmoothL1Loss(2), x, target), NEAR);
  }

  @Test
  void binaryCrossEntropyOverflowsNowhere() {
    Tensor x = floats(Shape.of(1, 4), 0, 1000, -1000, Math.log(3));
    Tensor target = floats(Shape.of(1, 4), 1, 0, 1, 1);
    double want = (Math.log(2) + 1000 + 1000 - Math.log(0.75)) / 4;
    assertEquals(want, loss(new BCEWithLogitsLoss(), x, target), 1e-4);
  }

  @Test
  void optionsThatMakeNoSenseAreRefused() {
    assertThrows(ArgumentException.class, () -> new SoftmaxCrossEntropyLoss(1));
    assertThrows(ArgumentException.class, () -> new SoftmaxCrossEntropyLoss(-0.1));
    assertThrows(ArgumentException.class, () -> new SmoothL1Loss(0));
    assertThrows(ArgumentException.class, () -> new CTCLoss(-1, false));
    Tensor x = floats(Shape.of(1, 3), 1, 2, 4);
    assertThrows(ShapeException.class, () -> loss(new L1Loss(), x, floats(Shape.of(1, 2), 1, 2)));
  }

  /** Two frames, one label: blank-label, label-blank and label-label are its alignments. */
  @Test
  void alignmentsAreSummed() {
    Tensor logits = floats(Shape.of(2, 1, 2), 0, Math.log(3), 0, Math.log(3));
    double all = 0.25 * 0.75 + 0.75 * 0.25 + 0.75 * 0.75;
    assertEquals(-Math.log(all), ctc(new CTCLoss(), logits, 2, 1, 1), NEAR);
    assertEquals(-Math.log(0.75), ctc(new CTCLoss(), logits, 1, 1, 1), NEAR);
    assertEquals(-2 * Math.log(0.25), ctc(new CTCLoss(), logits, 2, 0, 1), NEAR);
  }

  /** Each loss is divided by the number of labels. */
  @Test
  void twoEqualLabelsNeedABlankBetween() {
    Tensor logits = floats(Shape.of(3, 1, 2), 0, 0, 0, 0, 0, 0);
    assertEquals(3 * Math.log(2) / 2, ctc(new CTCLoss(), logits, 3, 2, 1, 1), NEAR);
    double impossible = ctc(new CTCLoss(), logits, 2, 2, 1, 1);
    assertEquals(Double.POSITIVE_INFINITY, impossible);
    assertEquals(0, ctc(new CTCLoss(0, true), logits, 2, 2, 1, 1));
  }

  @Test
  void wrongLengthsAndLabelsAreNamed() {
    Tensor logits = floats(Shape.of(2, 1, 2), 0, 0, 0, 0);
    Cell net = new CTCLoss();
    assertRefused("input lengths from 1 to 2", "0 for sample 0", () -> ctc(net, logits, 0, 1, 1));
    assertRefused("input lengths from 1 to 2", "3 for sample 0", () -> ctc(net, logits, 3, 1, 1));
    assertRefused("label lengths from 0 to 1", "2 for sample 0", () -> ctc(net, logits, 2, 2, 1));
    String labels = "labels from 0 to 1 (2 classes) without the blank 0";
    assertRefused(labels, "label 2 at place 0 of sample 0", () -> ctc(net, logits, 2, 1, 2));
    assertRefused(labels, "label 0 at place 0 of sample 0", () -> ctc(net, logits, 2, 1, 0));
    ShapeException e =
        assertThrows(ShapeException.class, () -> ctc(new CTCLoss(2, false), logits, 2, 1, 1));
    assertEquals("more than 2 classes, since 2 is the blank", e.problem().expected());
  }

  private static void assertRefused(String expected, String got, Executable run) {
    DataException e = assertThrows(DataException.class, run);
    assertEquals(expected, e.problem().expected());
    assertEquals(got, e.problem().got());
  }

  private double ctc(Cell net, Tensor logits, int frames, int count, double... labels) {
    return loss(
        net,
        logits,
        longs(Shape.of(1, labels.length), labels),
        longs(Shape.of(1), frames),
        longs(Shape.of(1), count));
  }
}
