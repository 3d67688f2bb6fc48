package dev.halfcell.testkit;

import static dev.halfcell.testkit.Argument.data;
import static dev.halfcell.testkit.Argument.fixed;

import dev.halfcell.nn.AvgPool2d;
import dev.halfcell.nn.BatchNorm2d;
import dev.halfcell.nn.Conv2d;
import dev.halfcell.nn.Dense;
import dev.halfcell.nn.Dropout;
import dev.halfcell.nn.Flatten;
import dev.halfcell.nn.GRU;
import dev.halfcell.nn.GlobalAvgPool2d;
import dev.halfcell.nn.GroupNorm;
import dev.halfcell.nn.LSTM;
import dev.halfcell.nn.LayerNorm;
import dev.halfcell.nn.MSELoss;
import dev.halfcell.nn.MaxPool2d;
import dev.halfcell.nn.RMSNorm;
import dev.halfcell.nn.ReLU;
import dev.halfcell.nn.Recurrence;
import dev.halfcell.nn.Residual;
import dev.halfcell.nn.Sequential;
import dev.halfcell.nn.SoftmaxCrossEntropyLoss;
import dev.halfcell.nn.WithLossCell;
import dev.halfcell.tensor.DType;
import dev.halfcell.tensor.Shape;
import java.util.List;
import java.util.stream.Stream;

/** Cases of every cell there is. A cell without one fails its contract. */
public final class CellCases {
  private CellCases() {}

  /** All cases. */
  public static List<CellCase> all() {
    return Stream.of(layers(), sequences(), normalizations(), activations(), losses(), composed())
        .flatMap(cases -> cases)
        .toList();
  }

  private static Argument normals(int... shape) {
    return data(Shape.of(shape), Fill.normals());
  }

  private static Argument distinct(int... shape) {
    return data(Shape.of(shape), Fill.distinct());
  }

  private static Argument awayFromZero(int... shape) {
    return data(Shape.of(shape), Fill.awayFromZero());
  }

  private static Argument labels(int classes, int... shape) {
    return fixed(DType.INT64, Shape.of(shape), Fill.labels(classes));
  }

  private static Stream<CellCase> layers() {
    return Stream.of(
        CellCase.of(() -> new Dense(5, 3), normals(4, 5)),
        CellCase.of(() -> new Conv2d(2, 3, 3), normals(2, 2, 5, 4)),
        CellCase.of(() -> new AvgPool2d(2), normals(2, 3, 4, 6)),
        CellCase.of(() -> new MaxPool2d(2), distinct(2, 3, 4, 6)),
        CellCase.of(GlobalAvgPool2d::new, normals(2, 3, 4, 6)),
        CellCase.of(Flatten::new, normals(2, 3, 4)),
        CellCase.of(() -> new Dropout(0.3), normals(4, 7)));
  }

  private static Stream<CellCase> sequences() {
    Argument lengths = fixed(DType.INT32, Shape.of(2), Fill.labels(4).map(v -> v + 1));
    return Stream.of(
        CellCase.of(() -> new LSTM(3, 2), normals(4, 2, 3)),
        CellCase.of(
            () -> new LSTM(Recurrence.of(3, 2).withLayers(2).inBothDirections()),
            normals(4, 2, 3),
            lengths),
        CellCase.of(() -> new GRU(3, 2), normals(4, 2, 3)),
        CellCase.of(
            () -> new GRU(Recurrence.of(3, 2).withBatchFirst().toLastState()),
            normals(2, 4, 3),
            lengths));
  }

  private static Stream<CellCase> normalizations() {
    return Stream.of(
        CellCase.of(() -> new BatchNorm2d(3), normals(4, 3, 2, 3)),
        CellCase.of(() -> new LayerNorm(6), normals(3, 6)),
        CellCase.of(() -> new GroupNorm(2, 6), normals(3, 6, 2, 2)),
        CellCase.of(() -> new RMSNorm(6), normals(3, 6)));
  }

  private static Stream<CellCase> activations() {
    return Stream.of(CellCase.of(ReLU::new, awayFromZero(3, 5)));
  }

  private static Stream<CellCase> losses() {
    return Stream.of(
        CellCase.of(MSELoss::new, normals(4, 3), normals(4, 3)),
        CellCase.of(SoftmaxCrossEntropyLoss::new, normals(5, 4), labels(4, 5)));
  }

  private static Stream<CellCase> composed() {
    return Stream.of(
        CellCase.of(() -> new Sequential(new Dense(4, 6), new Dense(6, 2)), normals(3, 4)),
        CellCase.of(() -> new Residual(new Dense(4, 4)), awayFromZero(3, 4)),
        CellCase.of(
            () -> new WithLossCell(new Dense(4, 3), new SoftmaxCrossEntropyLoss()),
            normals(5, 4),
            labels(3, 5)));
  }
}
