package dev.halfcell.testkit;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.halfcell.op.Op;
import dev.halfcell.op.loss.SoftmaxCrossEntropy;
import dev.halfcell.op.loss.SoftmaxCrossEntropyGradient;
import dev.halfcell.op.reduction.LogSoftmax;
import dev.halfcell.tensor.DType;
import dev.halfcell.tensor.Tensor;
import dev.halfcell.tensor.TensorSpec;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Where a network is all but sure, and right, its loss and the slope of that logit are near 0, and
 * have the digits of FP32 nevertheless: what is taken from 1 has few of them left.
 */
public abstract class SureLossContract extends OnBackend {
  private static final int CLASSES = 300;
  private static final int LABEL = 157;
  private static final double RELATIVE = 1e-5;

  /** The softmax of the label falls short of 1 by e to the power of {@code -lead} or so. */
  @ParameterizedTest
  @ValueSource(doubles = {0, 2, 6, 10, 14, 18})
  final void aLossNearZeroHasItsDigits(double lead) {
    double[] logits = logits(lead);
    double others =
        IntStream.range(0, CLASSES)
            .filter(c -> c != LABEL)
            .mapToDouble(c -> Math.exp(logits[c] - logits[LABEL]))
            .sum();
    Tensor x = Tensor.of(scope(), TensorSpec.of(DType.FP32, 1, CLASSES), logits);
    Tensor label = Tensor.of(scope(), TensorSpec.of(DType.INT32, 1), LABEL);
    Tensor d = Tensor.of(scope(), TensorSpec.of(DType.FP32), 1);
    SoftmaxCrossEntropy loss = new SoftmaxCrossEntropy();
    near(Math.log1p(others), run(loss, x, label).at(0));
    Tensor slopes = run(new SoftmaxCrossEntropyGradient(loss), x, label, d);
    near(-others / (1 + others), slopes.at(LABEL));
    near(Math.exp(logits[3] - logits[LABEL]) / (1 + others), slopes.at(3));
  }

  /** Along the last axis and along another. */
  @ParameterizedTest
  @ValueSource(doubles = {0, 2, 6, 10, 14, 18})
  final void soHasALogarithmOfASoftmax(double lead) {
    double[] logits = logits(lead);
    double log = -Math.log1p(Arrays.stream(logits).map(v -> Math.exp(v - logits[LABEL])).sum() - 1);
    for (int axis = 0; axis < 2; axis++) {
      int[] dims = axis == 0 ? new int[] {CLASSES, 1} : new int[] {1, CLASSES};
      Tensor x = Tensor.of(scope(), TensorSpec.of(DType.FP32, dims), logits);
      near(log, run(new LogSoftmax(axis), x).at(LABEL));
    }
  }

  private static double[] logits(double lead) {
    double[] logits = new double[CLASSES];
    Arrays.setAll(logits, c -> c == LABEL ? 5.25 : 5.25 - lead - (c % 7) / 8.0);
    return logits;
  }

  private Tensor run(Op op, Tensor... in) {
    return backend().eager(scope()).execute(op, List.of(in), OpCase.PATH).getFirst();
  }

  private static void near(double want, double got) {
    assertEquals(want, got, RELATIVE * Math.abs(want));
  }
}
