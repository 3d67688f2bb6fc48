package dev.halfcell.testkit;

import static dev.halfcell.testkit.Argument.data;
import static dev.halfcell.testkit.Argument.fixed;

import dev.halfcell.nn.AdaptiveAvgPool2d;
import dev.halfcell.nn.AdaptiveMaxPool2d;
import dev.halfcell.nn.AvgPool1d;
import dev.halfcell.nn.AvgPool2d;
import dev.halfcell.nn.BCEWithLogitsLoss;
import dev.halfcell.nn.BatchNorm1d;
import dev.halfcell.nn.BatchNorm2d;
import dev.halfcell.nn.CTCLoss;
import dev.halfcell.nn.Cell;
import dev.halfcell.nn.CellList;
import dev.halfcell.nn.ClippedReLU;
import dev.halfcell.nn.Conv1d;
import dev.halfcell.nn.Conv2d;
import dev.halfcell.nn.Conv2dTranspose;
import dev.halfcell.nn.ConvolutionOptions;
import dev.halfcell.nn.Dense;
import dev.halfcell.nn.Dropout;
import dev.halfcell.nn.Embedding;
import dev.halfcell.nn.Flatten;
import dev.halfcell.nn.Forward;
import dev.halfcell.nn.GELU;
import dev.halfcell.nn.GRU;
import dev.halfcell.nn.GlobalAvgPool2d;
import dev.halfcell.nn.GlobalMaxPool2d;
import dev.halfcell.nn.GroupNorm;
import dev.halfcell.nn.HardSwish;
import dev.halfcell.nn.L1Loss;
import dev.halfcell.nn.LSTM;
import dev.halfcell.nn.LayerNorm;
import dev.halfcell.nn.LeakyReLU;
import dev.halfcell.nn.LogSoftmax;
import dev.halfcell.nn.MSELoss;
import dev.halfcell.nn.MaxPool1d;
import dev.halfcell.nn.MaxPool2d;
import dev.halfcell.nn.MultiHeadAttention;
import dev.halfcell.nn.Named;
import dev.halfcell.nn.PReLU;
import dev.halfcell.nn.PaddingMode;
import dev.halfcell.nn.PositionalEmbedding;
import dev.halfcell.nn.RMSNorm;
import dev.halfcell.nn.ReLU;
import dev.halfcell.nn.Recurrence;
import dev.halfcell.nn.Residual;
import dev.halfcell.nn.Sequential;
import dev.halfcell.nn.SiLU;
import dev.halfcell.nn.Sigmoid;
import dev.halfcell.nn.SmoothL1Loss;
import dev.halfcell.nn.Softmax;
import dev.halfcell.nn.SoftmaxCrossEntropyLoss;
import dev.halfcell.nn.Tanh;
import dev.halfcell.nn.TransformerConfig;
import dev.halfcell.nn.TransformerDecoderLayer;
import dev.halfcell.nn.TransformerEncoderLayer;
import dev.halfcell.nn.WithLossCell;
import dev.halfcell.op.Size2d;
import dev.halfcell.op.loss.LossReduction;
import dev.halfcell.tensor.DType;
import dev.halfcell.tensor.Shape;
import dev.halfcell.tensor.Tensor;
import java.util.List;
import java.util.function.Supplier;
import java.util.stream.Stream;

/** Cases of every cell there is. A cell without one fails its contract. */
public final class CellCases {
  private CellCases() {}

  /** All cases. */
  public static List<CellCase> all() {
    return Stream.of(
            layers(),
            pools(),
            sequences(),
            transformers(),
            normalizations(),
            activations(),
            losses(),
            composed())
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
    ConvolutionOptions strided = ConvolutionOptions.defaults().stride(2);
    Size2d flat = new Size2d(1, 3);
    ConvolutionOptions oblong = strided.stride(new Size2d(2, 1)).padding(PaddingMode.SAME);
    return Stream.of(
        CellCase.of(() -> new Dense(5, 3), normals(4, 5)),
        CellCase.of(() -> new Dense(5, 3, false), normals(4, 5)),
        CellCase.of(() -> new Conv1d(2, 3, 3), normals(2, 2, 6)),
        CellCase.of(() -> new Conv2d(2, 3, 3), normals(2, 2, 5, 4)),
        CellCase.of(() -> new Conv2d(2, 3, flat, oblong), normals(2, 2, 5, 7)),
        CellCase.of(() -> new Conv2dTranspose(2, 3, 3, strided, 1), normals(2, 2, 3, 2)),
        CellCase.of(() -> new Conv2dTranspose(2, 3, flat, oblong, 0), normals(2, 2, 3, 2)),
        CellCase.of(Flatten::new, normals(2, 3, 4)),
        CellCase.of(() -> new Dropout(0.3), normals(4, 7)),
        CellCase.of(() -> new Embedding(6, 3), labels(6, 2, 4)));
  }

  private static Stream<CellCase> pools() {
    return Stream.of(
        CellCase.of(() -> new AvgPool1d(2), normals(2, 3, 6)),
        CellCase.of(() -> new AvgPool2d(2), normals(2, 3, 4, 6)),
        CellCase.of(() -> new MaxPool1d(2), distinct(2, 3, 6)),
        CellCase.of(() -> new MaxPool2d(2), distinct(2, 3, 4, 6)),
        CellCase.of(() -> new AdaptiveAvgPool2d(2, 3), normals(2, 3, 5, 4)),
        CellCase.of(() -> new AdaptiveMaxPool2d(2, 3), distinct(2, 3, 5, 4)),
        CellCase.of(GlobalAvgPool2d::new, normals(2, 3, 4, 6)),
        CellCase.of(GlobalMaxPool2d::new, distinct(2, 3, 4, 6)));
  }

  private static Stream<CellCase> sequences() {
    Argument lengths = fixed(DType.INT32, Shape.of(2), Fill.labels(4).map(v -> v + 1));
    Recurrence deep = Recurrence.of(3, 2).withLayers(2);
    return Stream.of(
        CellCase.of(() -> new LSTM(3, 2), normals(4, 2, 3)),
        CellCase.of(() -> new LSTM(deep.inBothDirections()), normals(4, 2, 3), lengths),
        CellCase.of(
            () -> new LSTM(deep.inBothDirections()),
            normals(4, 2, 3),
            normals(4, 2, 2),
            normals(4, 2, 2),
            lengths),
        CellCase.of(() -> new LSTM(deep.withBatchFirst().withDropout(0.3)), normals(2, 4, 3)),
        CellCase.of(() -> new GRU(3, 2), normals(4, 2, 3)),
        CellCase.of(() -> new GRU(3, 2), normals(4, 2, 3), normals(1, 2, 2)),
        CellCase.of(
            () -> new GRU(Recurrence.of(3, 2).withBatchFirst().toLastState()),
            normals(2, 4, 3),
            lengths));
  }

  private static Stream<CellCase> transformers() {
    Argument mask = fixed(DType.BOOL, Shape.of(2, 1, 1, 3), Fill.constant(1));
    TransformerConfig config = new TransformerConfig(4, 2, 6, 0.2, true, GELU::new);
    return Stream.of(
        CellCase.of(() -> new MultiHeadAttention(4, 2), normals(2, 3, 4), mask),
        CellCase.of(
            () -> new MultiHeadAttention(4, 2, true, 0.2),
            normals(2, 3, 4),
            normals(2, 3, 4),
            normals(2, 3, 4)),
        CellCase.of(() -> PositionalEmbedding.learned(5, 4), normals(2, 3, 4)),
        CellCase.of(() -> PositionalEmbedding.sinusoidal(3, 4), normals(2, 3, 4)),
        CellCase.of(() -> new TransformerEncoderLayer(config), normals(2, 3, 4), mask),
        CellCase.of(
            () -> new TransformerDecoderLayer(config), normals(2, 2, 4), normals(2, 3, 4), mask));
  }

  private static Stream<CellCase> normalizations() {
    return Stream.of(
        CellCase.of(() -> new BatchNorm1d(3), normals(6, 3)),
        CellCase.of(() -> new BatchNorm2d(3), normals(4, 3, 2, 3)),
        CellCase.of(() -> new LayerNorm(6), normals(3, 6)),
        CellCase.of(() -> new GroupNorm(2, 6), normals(3, 6, 2, 2)),
        CellCase.of(() -> new RMSNorm(6), normals(3, 6)));
  }

  private static Stream<CellCase> activations() {
    Stream<Supplier<Cell>> smooth =
        Stream.of(GELU::new, SiLU::new, Sigmoid::new, Tanh::new, Softmax::new, LogSoftmax::new);
    Stream<Supplier<Cell>> bent =
        Stream.of(ReLU::new, LeakyReLU::new, PReLU::new, () -> new ClippedReLU(9), HardSwish::new);
    return Stream.concat(
        smooth.map(make -> CellCase.of(make, normals(3, 5))),
        bent.map(make -> CellCase.of(make, awayFromZero(3, 5))));
  }

  private static Stream<CellCase> losses() {
    Argument shares = data(Shape.of(4, 3), Fill.labels(5).map(v -> v / 4));
    Argument logits = normals(6, 2, 4);
    Argument target = fixed(DType.INT32, Shape.of(2, 2), Fill.labels(3).map(v -> v + 1));
    Argument times = fixed(DType.INT32, Shape.of(2), Fill.constant(6));
    Argument lengths = fixed(DType.INT32, Shape.of(2), Fill.labels(2).map(v -> v + 1));
    return Stream.of(
        CellCase.of(MSELoss::new, normals(4, 3), normals(4, 3)),
        CellCase.of(L1Loss::new, distinct(4, 3), data(Shape.of(4, 3), Fill.constant(0.06))),
        CellCase.of(SmoothL1Loss::new, distinct(4, 3), data(Shape.of(4, 3), Fill.constant(0.06))),
        CellCase.of(BCEWithLogitsLoss::new, normals(4, 3), shares).byFirst(),
        CellCase.of(SoftmaxCrossEntropyLoss::new, normals(5, 4), labels(4, 5)),
        CellCase.of(() -> new SoftmaxCrossEntropyLoss(0.1, 2), normals(5, 4), labels(4, 5)),
        CellCase.of(CTCLoss::new, logits, target, times, lengths),
        CellCase.of(() -> new MSELoss(LossReduction.SUM), normals(4, 3), normals(4, 3)),
        CellCase.of(() -> new BCEWithLogitsLoss(LossReduction.NONE), normals(4, 3), shares)
            .byFirst(),
        CellCase.of(
            () -> new SoftmaxCrossEntropyLoss(LossReduction.NONE), normals(5, 4), labels(4, 5)),
        CellCase.of(
            () -> new CTCLoss(0, LossReduction.NONE, false), logits, target, times, lengths));
  }

  private static Stream<CellCase> composed() {
    return Stream.of(
        CellCase.of(() -> new Sequential(new Dense(4, 6), new Dense(6, 2)), normals(3, 4)),
        CellCase.of(
            () -> new OneByOne(new CellList(new Dense(4, 4), new Dense(4, 2))), normals(3, 4)),
        CellCase.of(() -> new Residual(new Dense(4, 4)), awayFromZero(3, 4)),
        CellCase.of(() -> new Named("generator", new Dense(4, 3)), normals(2, 4)),
        CellCase.of(
            () -> new WithLossCell(new Dense(4, 3), new SoftmaxCrossEntropyLoss()),
            normals(5, 4),
            labels(3, 5)));
  }

  /** A list computes nothing itself: what holds it calls its cells. */
  private static final class OneByOne extends Cell {
    private final CellList cells;

    OneByOne(CellList cells) {
      this.cells = child("cells", cells);
    }

    @Override
    protected Tensor construct(Forward f, Tensor... inputs) {
      Tensor x = f.only(inputs);
      for (Cell cell : cells.cells()) {
        x = f.call(cell, x);
      }
      return x;
    }
  }
}
