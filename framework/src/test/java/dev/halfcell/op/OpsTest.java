package dev.halfcell.op;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import dev.halfcell.op.attention.ScaledDotProductAttention;
import dev.halfcell.op.convolution.Conv2d;
import dev.halfcell.op.convolution.Conv2dGeometry;
import dev.halfcell.op.convolution.Conv2dTranspose;
import dev.halfcell.op.elementwise.Add;
import dev.halfcell.op.elementwise.Affine;
import dev.halfcell.op.elementwise.Compare;
import dev.halfcell.op.elementwise.Comparison;
import dev.halfcell.op.elementwise.Div;
import dev.halfcell.op.elementwise.Exp;
import dev.halfcell.op.elementwise.Log;
import dev.halfcell.op.elementwise.Maximum;
import dev.halfcell.op.elementwise.Minimum;
import dev.halfcell.op.elementwise.Mul;
import dev.halfcell.op.elementwise.Relu;
import dev.halfcell.op.elementwise.Sigmoid;
import dev.halfcell.op.elementwise.Sub;
import dev.halfcell.op.elementwise.Tanh;
import dev.halfcell.op.elementwise.Where;
import dev.halfcell.op.indexing.Embedding;
import dev.halfcell.op.indexing.Gather;
import dev.halfcell.op.indexing.OneHot;
import dev.halfcell.op.indexing.ScatterAdd;
import dev.halfcell.op.linear.Dense;
import dev.halfcell.op.linear.MatMul;
import dev.halfcell.op.loss.MeanSquaredError;
import dev.halfcell.op.loss.SoftmaxCrossEntropy;
import dev.halfcell.op.pooling.AvgPool2d;
import dev.halfcell.op.pooling.MaxPool2d;
import dev.halfcell.op.pooling.Window2d;
import dev.halfcell.op.precision.Cast;
import dev.halfcell.op.reduction.Extreme;
import dev.halfcell.op.reduction.LogSoftmax;
import dev.halfcell.op.reduction.LogSumExp;
import dev.halfcell.op.reduction.Mean;
import dev.halfcell.op.reduction.Softmax;
import dev.halfcell.op.reduction.Sum;
import dev.halfcell.op.shape.Concat;
import dev.halfcell.op.shape.Pad;
import dev.halfcell.op.shape.Repeat;
import dev.halfcell.op.shape.Reshape;
import dev.halfcell.op.shape.ReverseSequence;
import dev.halfcell.op.shape.Slice;
import dev.halfcell.op.shape.Transpose;
import dev.halfcell.tensor.ArgumentException;
import dev.halfcell.tensor.DType;
import dev.halfcell.tensor.Problem;
import dev.halfcell.tensor.Shape;
import dev.halfcell.tensor.ShapeException;
import dev.halfcell.tensor.Tensor;
import dev.halfcell.tensor.TensorScope;
import dev.halfcell.tensor.TensorSpec;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.function.Executable;

/** Each word asks for the op that it says, on behalf of its cell, and answers with its output. */
class OpsTest {
  private static final CellPath AT = new CellPath("/cell");
  private static final Window2d WINDOWS = Window2d.square(2, 2, 0);
  private static final List<Integer> LAST = List.of(1);

  private final TensorScope scope = TensorScope.open();
  private final List<Op> asked = new ArrayList<>();
  private final List<Tensor> answers = new ArrayList<>();
  private final Ops ops = new Ops(this::execute, AT);
  private final Tensor x = fp32(2, 3);
  private final Tensor square = fp32(3, 3);
  private final Tensor image = fp32(1, 1, 4, 4);
  private final Tensor two = tensor(DType.INT32, 2);

  private List<Tensor> execute(Op op, List<Tensor> in, CellPath at) {
    assertEquals(AT, at);
    asked.add(op);
    answers.addAll(op.infer(Tensor.specs(in), at).stream().map(scope::allocate).toList());
    return List.copyOf(answers);
  }

  private Tensor fp32(int... dims) {
    return tensor(DType.FP32, dims);
  }

  private Tensor tensor(DType dtype, int... dims) {
    return scope.allocate(TensorSpec.of(dtype, dims));
  }

  @AfterEach
  void close() {
    scope.close();
  }

  private record Word(Op op, Function<OpsTest, Tensor> said) {}

  @TestFactory
  Stream<DynamicTest> aWordIsAnOp() {
    return Stream.of(elementwise(), linear(), shape(), indexing(), reduction())
        .flatMap(words -> words)
        .map(word -> dynamicTest(word.op().toString(), () -> new OpsTest().check(word)));
  }

  private void check(Word word) {
    Tensor answer = word.said().apply(this);
    assertEquals(List.of(word.op()), asked);
    assertSame(answers.getFirst(), answer);
    close();
  }

  private static Stream<Word> elementwise() {
    return Stream.of(
        new Word(new Add(), t -> t.ops.add(t.x, t.x)),
        new Word(new Sub(), t -> t.ops.sub(t.x, t.x)),
        new Word(new Mul(), t -> t.ops.mul(t.x, t.x)),
        new Word(new Div(), t -> t.ops.div(t.x, t.x)),
        new Word(new Affine(3, 0), t -> t.ops.scale(t.x, 3)),
        new Word(new Affine(-1, 0), t -> t.ops.neg(t.x)),
        new Word(new Minimum(), t -> t.ops.minimum(t.x, t.x)),
        new Word(new Maximum(), t -> t.ops.maximum(t.x, t.x)),
        new Word(new Compare(Comparison.LESS), t -> t.ops.compare(t.x, Comparison.LESS, t.x)),
        new Word(new Where(), t -> t.ops.where(t.tensor(DType.BOOL, 2, 3), t.x, t.x)),
        new Word(new Exp(), t -> t.ops.exp(t.x)),
        new Word(new Log(), t -> t.ops.log(t.x)),
        new Word(new Sigmoid(), t -> t.ops.sigmoid(t.x)),
        new Word(new Tanh(), t -> t.ops.tanh(t.x)),
        new Word(new Relu(), t -> t.ops.relu(t.x)),
        new Word(new Cast(DType.FP16), t -> t.ops.cast(t.x, DType.FP16)));
  }

  private static Stream<Word> linear() {
    return Stream.of(
        new Word(new MatMul(false, false, false), t -> t.ops.matMul(t.x, t.square)),
        new Word(new Dense(), t -> t.ops.dense(t.x, t.square)),
        new Word(new Dense(), t -> t.ops.dense(t.x, t.square, t.fp32(3))),
        new Word(
            new ScaledDotProductAttention(true, 0.5),
            t -> t.ops.attention(true, t.image, t.image, t.image)),
        new Word(
            new Conv2d(Conv2dGeometry.VALID),
            t -> t.ops.conv2d(Conv2dGeometry.VALID, t.image, t.image)),
        new Word(
            new Conv2dTranspose(Conv2dGeometry.square(2, 0), 1, 0),
            t -> t.ops.conv2dTranspose(Conv2dGeometry.square(2, 0), 1, 0, t.image, t.image)),
        new Word(new MaxPool2d(WINDOWS), t -> t.ops.maxPool2d(WINDOWS, t.image)),
        new Word(new AvgPool2d(WINDOWS), t -> t.ops.avgPool2d(WINDOWS, t.image)),
        new Word(
            new SoftmaxCrossEntropy(),
            t -> t.ops.softmaxCrossEntropy(t.x, t.tensor(DType.INT64, 2))),
        new Word(new MeanSquaredError(), t -> t.ops.meanSquaredError(t.x, t.x)));
  }

  private static Stream<Word> shape() {
    return Stream.of(
        new Word(new Reshape(Shape.of(6)), t -> t.ops.reshape(t.x, Shape.of(6))),
        new Word(new Reshape(Shape.of(1, 16)), t -> t.ops.flatten(t.image)),
        new Word(new Reshape(Shape.of(4, 4)), t -> t.ops.rows(t.image)),
        new Word(new Reshape(Shape.of(1, 2, 3)), t -> t.ops.expandDims(t.x, 0)),
        new Word(new Reshape(Shape.of(2, 3, 1)), t -> t.ops.expandDims(t.x, 2)),
        new Word(new Reshape(Shape.of(1, 4, 4)), t -> t.ops.squeeze(t.image, 1)),
        new Word(new Reshape(Shape.of(2, 1)), t -> t.ops.keepAxes(t.fp32(2), t.x, LAST)),
        new Word(new Transpose(List.of(1, 0)), t -> t.ops.transpose(t.x, 1, 0)),
        new Word(new Concat(1), t -> t.ops.concat(1, t.x, t.x)),
        new Word(Slice.along(Shape.of(2, 3), 1, 1, 2), t -> t.ops.slice(t.x, 1, 1, 2)),
        new Word(
            new Pad(List.of(1, 0), List.of(0, 2), 5),
            t -> t.ops.pad(t.x, List.of(1, 0), List.of(0, 2), 5)),
        new Word(new ReverseSequence(0, 1), t -> t.ops.reverseSequence(t.x, t.two, 0, 1)),
        new Word(
            new Repeat(Shape.of(2, 3), List.of(0)),
            t -> t.ops.repeat(t.fp32(3), Shape.of(2, 3), List.of(0))));
  }

  private static Stream<Word> indexing() {
    OptionalInt none = OptionalInt.empty();
    return Stream.of(
        new Word(new Gather(1), t -> t.ops.lookups().gather(t.x, t.two, 1)),
        new Word(
            new ScatterAdd(Shape.of(5, 3), 0, false),
            t -> t.ops.lookups().scatterAdd(t.x, t.two, Shape.of(5, 3), 0)),
        new Word(
            new OneHot(4, 1, 0, DType.FP16), t -> t.ops.lookups().oneHot(t.two, 4, DType.FP16)),
        new Word(new Embedding(none, false), t -> t.ops.lookups().embedding(t.x, t.two)));
  }

  private static Stream<Word> reduction() {
    return Stream.of(
        new Word(new Sum(LAST, true), t -> t.ops.sum(t.x, true, 1)),
        new Word(new Sum(LAST, false), t -> t.ops.sumAllBut(t.x, 0, false)),
        new Word(new Mean(LAST), t -> t.ops.mean(t.x, 1)),
        new Word(new Extreme(LAST, true), t -> t.ops.max(t.x, 1)),
        new Word(new Extreme(LAST, false), t -> t.ops.min(t.x, 1)),
        new Word(new LogSumExp(LAST), t -> t.ops.logSumExp(t.x, 1)),
        new Word(new Softmax(1), t -> t.ops.softmax(t.x, 1)),
        new Word(new LogSoftmax(1), t -> t.ops.logSoftmax(t.x, 1)));
  }

  @Test
  void aWordWithSeveralAnswersGivesTheWantedOne() {
    assertSame(answersOf(() -> List.of(ops.argMax(x, 1))).getLast(), answers.getLast());
  }

  private List<Tensor> answersOf(Supplier<List<Tensor>> said) {
    List<Tensor> got = said.get();
    assertTrue(!answers.isEmpty());
    return got;
  }

  @Test
  void partsOfASplitFollowEachOther() {
    ops.split(x, 1, 1, 2);
    Shape shape = x.shape();
    assertEquals(List.of(Slice.along(shape, 1, 0, 1), Slice.along(shape, 1, 1, 2)), asked);
    refused("split", () -> ops.split(x, 1, 1, 1));
    refused("split", () -> ops.split(x, 2, 1, 2));
  }

  @Test
  void whatChangesNothingIsNoOp() {
    assertSame(x, ops.reshape(x, x.shape()));
    assertSame(x, ops.cast(x, DType.FP32));
    assertSame(x, ops.repeat(x, x.shape(), List.of()));
    assertEquals(List.of(), asked);
  }

  @Test
  void anAxisHasToBeThere() {
    refused("expandDims", () -> ops.expandDims(x, -1));
    refused("expandDims", () -> ops.expandDims(x, 3));
    refused("squeeze", () -> ops.squeeze(x, 0));
    refused("squeeze", () -> ops.squeeze(x, -1));
    refused("squeeze", () -> ops.squeeze(x, 2));
    refused("slice", () -> ops.slice(x, 2, 0, 1));
  }

  private static void refused(String word, Executable call) {
    Problem problem = assertThrows(ShapeException.class, call).problem();
    assertEquals(word, problem.subject());
    assertEquals(AT.text(), problem.where());
  }

  /** From Java that knows no nullness. */
  @Test
  @SuppressWarnings("NullAway")
  void anInputThatIsNullIsNamed() {
    Problem problem = assertThrows(ArgumentException.class, () -> ops.add(x, null)).problem();
    assertTrue(problem.message().contains("input 1"), problem.message());
  }
}
