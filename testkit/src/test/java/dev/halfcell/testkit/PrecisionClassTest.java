package dev.halfcell.testkit;

import static java.util.stream.Collectors.toUnmodifiableSet;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import dev.halfcell.op.Op;
import dev.halfcell.op.PrecisionClass;
import dev.halfcell.op.normalization.BatchNorm;
import dev.halfcell.op.normalization.GroupwiseNormalization;
import dev.halfcell.op.normalization.Normalize;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/** What each op asks of a precision plan, as the design has decided; a gradient like its op. */
final class PrecisionClassTest {
  private static final Map<PrecisionClass, String> DECIDED =
      Map.of(
          PrecisionClass.ALLOW,
          """
          Conv2d Conv2dInputGradient Conv2dWeightGradient Conv2dTranspose Dense MatMul Gru
          GruGradient Lstm LstmGradient ScaledDotProductAttention
          ScaledDotProductAttentionGradient
          """,
          PrecisionClass.DENY,
          """
          BatchNorm BatchNormGradient Normalize GroupNorm GroupNormGradient LayerNorm
          LayerNormGradient RmsNorm RmsNormGradient Softmax SoftmaxGradient LogSoftmax
          LogSoftmaxGradient LogSumExp Exp Log Pow Rsqrt Sum Mean
          """,
          PrecisionClass.FULL,
          """
          SoftmaxCrossEntropy SoftmaxCrossEntropyGradient BceWithLogits MeanSquaredError L1
          SmoothL1 ElementLossGradient CtcLoss RunningAverage Unscale
          GradientCheck LargestMagnitude ScaleUpdate LearningRate SgdRule RowsRule
          MomentumRule AdamRule LambRule LarsRule RmsPropRule AdagradRule ClipByNorm
          ClipByValue Accumulate CountFinite CountRefused Hopeful Increment Restart WindowClean
          WindowScale WindowStatistic
          """,
          PrecisionClass.KEEP,
          "Cast StochasticCast CellOutput AllReduce",
          PrecisionClass.INFER,
          """
          Add Sub Mul Div Affine Abs Sqrt Minimum Maximum Clip Where WhereGradient Compare Relu
          ReluGradient LeakyRelu PRelu SlopedGradient Gelu Silu Sigmoid Tanh HardSwish
          CurveGradient ZerosLike Extreme ExtremeGradient MaxPool2d MaxPool2dGradient AvgPool2d
          AvgPool2dGradient Dropout Embedding CoalesceRows Gather ScatterAdd OneHot Concat Slice
          Pad Repeat Reshape Transpose ReverseSequence
          """);

  /** Whoever writes one decides. */
  private static final Set<String> HOST = Set.of("HostFunction", "HostFunctionGradient");

  @TestFactory
  Stream<DynamicTest> everyOpIsOfTheClassThatWasDecided() {
    // In the order of the classes: that of a map is another one in every run.
    return Stream.of(PrecisionClass.values())
        .flatMap(
            decided ->
                Stream.of(DECIDED.getOrDefault(decided, "").split("\\s+"))
                    .map(op -> dynamicTest(op, () -> check(op, decided))));
  }

  private static void check(String op, PrecisionClass decided) {
    Class<?> type =
        SealedOps.records().stream()
            .filter(each -> each.getSimpleName().equals(op))
            .findFirst()
            .orElseThrow();
    for (OpCase each : OpCases.of(type, Generator.seed())) {
      assertEquals(decided, each.op().precision());
      for (int input = 0; input < each.arguments().size(); input++) {
        assertEquals(!ofStatistics(each.op(), input), each.op().castable(input), "input " + input);
      }
    }
  }

  /** Scale, shift and statistics of a normalisation are never cast. */
  private static boolean ofStatistics(Op op, int input) {
    return input > 0
        && (op instanceof BatchNorm
            || op instanceof Normalize
            || op instanceof GroupwiseNormalization);
  }

  @Test
  void everyOpWasDecided() {
    Set<String> decided =
        DECIDED.values().stream()
            .flatMap(ops -> Stream.of(ops.split("\\s+")))
            .collect(toUnmodifiableSet());
    Set<String> ops =
        SealedOps.records().stream()
            .map(Class::getSimpleName)
            .filter(op -> !HOST.contains(op))
            .collect(toUnmodifiableSet());
    assertEquals(ops, decided);
  }
}
