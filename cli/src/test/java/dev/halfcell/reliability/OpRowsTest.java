package dev.halfcell.reliability;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;

import dev.halfcell.amp.Amp;
import dev.halfcell.nn.Cell;
import dev.halfcell.nn.Dense;
import dev.halfcell.nn.Sequential;
import dev.halfcell.nn.SoftmaxCrossEntropyLoss;
import dev.halfcell.op.Padding2d;
import dev.halfcell.op.convolution.Conv2d;
import dev.halfcell.op.convolution.Conv2dGeometry;
import dev.halfcell.op.elementwise.Add;
import dev.halfcell.op.indexing.Embedding;
import dev.halfcell.op.indexing.Gather;
import dev.halfcell.op.linear.MatMul;
import dev.halfcell.op.loss.SoftmaxCrossEntropy;
import dev.halfcell.op.reduction.Softmax;
import dev.halfcell.op.reduction.Sum;
import dev.halfcell.op.shape.Concat;
import dev.halfcell.op.shape.Reshape;
import dev.halfcell.op.shape.Transpose;
import dev.halfcell.optim.Sgd;
import dev.halfcell.tensor.DType;
import dev.halfcell.tensor.DTypeException;
import dev.halfcell.tensor.DataException;
import dev.halfcell.tensor.Shape;
import dev.halfcell.tensor.ShapeException;
import dev.halfcell.tensor.Tensor;
import dev.halfcell.tensor.TensorSpec;
import java.util.List;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Single ops on inputs that do not fit. */
final class OpRowsTest {
  @ParameterizedTest
  @ValueSource(strings = {"reference", "cpu"})
  @Row("J1")
  void innerSizesOfAProductHaveToAgree(String device) {
    try (Bench bench = Bench.on(device)) {
      assertInstanceOf(
          ShapeException.class,
          Refusal.of(
              () ->
                  bench.run(
                      new MatMul(false, false, false), bench.floats(2, 3), bench.floats(4, 5)),
              "MatMul",
              "/net/cell",
              "inner dimensions differ: [2, 3] x [4, 5]"));
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"reference", "cpu"})
  @Row("J3")
  void shapesThatDoNotBroadcastAreBothNamed(String device) {
    try (Bench bench = Bench.on(device)) {
      assertInstanceOf(
          ShapeException.class,
          Refusal.of(
              () -> bench.run(new Add(), bench.floats(2, 3), bench.floats(2, 4)),
              "Add",
              "broadcast",
              "[2, 3]",
              "[2, 4]"));
    }
  }

  @Test
  @Row("J4")
  void aDenseCellNamesItselfAndItsFeatures() {
    Cell net = new Sequential(new Dense(784, 10));
    try (Bench bench = Bench.on("cpu");
        var train = Amp.buildTrainNetwork(net, new SoftmaxCrossEntropyLoss(), new Sgd(0.1), "O2")) {
      Refusal.of(
          () -> train.run(bench.floats(2, 1, 28, 28), bench.longs(0, 1)), "Dense", "/0", "28");
      Refusal.of(() -> train.run(bench.floats(2, 28), bench.longs(0, 1)), "784 input features");
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"reference", "cpu"})
  @Row("J6")
  void twoDtypesInAProductAreBothNamed(String device) {
    try (Bench bench = Bench.on(device)) {
      assertInstanceOf(
          DTypeException.class,
          Refusal.of(
              () ->
                  bench.run(
                      new MatMul(false, false, false),
                      bench.of(DType.FP32, 2, 3),
                      bench.of(DType.FP16, 3, 4)),
              "fp32",
              "fp16",
              "Cast"));
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"reference", "cpu"})
  @Row("J7")
  void integersAreNotConvolvedOrNormalised(String device) {
    Conv2dGeometry geometry = new Conv2dGeometry(1, 1, Padding2d.of(0), 1, 1, 1);
    try (Bench bench = Bench.on(device)) {
      Tensor image = bench.of(DType.INT64, 1, 1, 4, 4);
      Tensor kernel = bench.floats(1, 1, 2, 2);
      assertInstanceOf(
          DTypeException.class,
          Refusal.of(() -> bench.run(new Conv2d(geometry), image, kernel), "floating", "int64"));
      assertInstanceOf(
          DTypeException.class,
          Refusal.of(
              () ->
                  bench.run(
                      new SoftmaxCrossEntropy(), bench.of(DType.INT32, 2, 3), bench.longs(0, 1)),
              "floating",
              "int32"));
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"reference", "cpu"})
  @Row("J13")
  void aReshapeKeepsItsElementsAndAnAxisExists(String device) {
    try (Bench bench = Bench.on(device)) {
      Tensor x = bench.floats(2, 3);
      Refusal.of(() -> bench.run(new Reshape(Shape.of(4, 2)), x), "[2, 3]");
      Refusal.of(() -> bench.run(new Sum(List.of(5), false), x), "[2, 3]");
      Refusal.of(() -> bench.run(new Sum(List.of(-1), false), x));
      Refusal.of(() -> bench.run(new Sum(List.of(0, 0), false), x));
      Refusal.of(() -> bench.run(new Transpose(List.of(0, 0)), x), "[0, 0]");
      Refusal.of(() -> bench.run(new Concat(5), x, x), "[2, 3]");
      Refusal.of(() -> bench.run(new Gather(5), x, bench.longs(0)), "[2, 3]");
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"reference", "cpu"})
  @Row("J47")
  void aLookUpOutOfRangeIsNamedWithItsPlaceAndTheSize(String device) {
    try (Bench bench = Bench.on(device)) {
      Embedding embedding = new Embedding(OptionalInt.empty(), false);
      Tensor table = bench.floats(5, 3);
      for (double index : new double[] {-1, 5, Integer.MAX_VALUE, -4e18}) {
        assertInstanceOf(
            DataException.class,
            Refusal.of(
                () -> bench.run(embedding, table, bench.longs(0, index)),
                "index " + (long) index,
                "element 1",
                "size 5"));
      }
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"reference", "cpu"})
  @Row("J31")
  void aLabelOutOfRangeIsNamedWithItsPlace(String device) {
    try (Bench bench = Bench.on(device)) {
      Tensor logits = bench.floats(2, 3);
      for (double label : new double[] {-1, 3, Integer.MAX_VALUE, -4e18}) {
        assertInstanceOf(
            DataException.class,
            Refusal.of(
                () -> bench.run(new SoftmaxCrossEntropy(), logits, bench.longs(0, label)),
                "1",
                "3",
                String.valueOf((long) label)));
      }
      Refusal.of(
          () -> bench.run(new SoftmaxCrossEntropy(), logits, bench.floats(2)), "int64 or int32");
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"reference", "cpu"})
  @Row("J32")
  void oneHotRowsAreNotLabels(String device) {
    try (Bench bench = Bench.on(device)) {
      Tensor logits = bench.floats(2, 3);
      Refusal.of(
          () -> bench.run(new SoftmaxCrossEntropy(), logits, bench.of(DType.INT64, 2, 3)), "[N]");
      Refusal.of(
          () -> bench.run(new SoftmaxCrossEntropy(), logits, bench.longs(0, 1, 2)),
          "class numbers, not one-hot");
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"reference", "cpu"})
  @Row("J48")
  void aSoftmaxOfNothingButMinusInfinityIsNaN(String device) {
    try (Bench bench = Bench.on(device)) {
      double none = Double.NEGATIVE_INFINITY;
      Tensor x = Tensor.of(bench.scope(), TensorSpec.of(DType.FP32, 2, 2), none, none, none, 0);
      double[] y = bench.run(new Softmax(1), x).toArray();
      assertArrayEquals(new double[] {Double.NaN, Double.NaN, 0, 1}, y);
    }
  }
}
