package dev.halfcell.gpu;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.halfcell.backend.Backend;
import dev.halfcell.backend.ReferenceBackend;
import dev.halfcell.op.CellPath;
import dev.halfcell.op.Op;
import dev.halfcell.op.loss.CtcLoss;
import dev.halfcell.op.loss.LossReduction;
import dev.halfcell.op.loss.SoftmaxCrossEntropy;
import dev.halfcell.op.loss.SoftmaxCrossEntropyGradient;
import dev.halfcell.op.recurrent.Gru;
import dev.halfcell.op.recurrent.GruGradient;
import dev.halfcell.op.recurrent.Lstm;
import dev.halfcell.op.recurrent.LstmGradient;
import dev.halfcell.op.recurrent.Pass;
import dev.halfcell.op.recurrent.Recurrent;
import dev.halfcell.op.shape.ReverseSequence;
import dev.halfcell.tensor.DType;
import dev.halfcell.tensor.DataException;
import dev.halfcell.tensor.Tensor;
import dev.halfcell.tensor.TensorScope;
import dev.halfcell.tensor.TensorSpec;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Data that an op refuses is told of in the words of the reference, the first of it alone. */
@Tag("either")
final class GpuRefusedDataTest {
  private static final CellPath PATH = new CellPath("/under/test");
  private static final Pass RAGGED = new Pass(true, false, true);
  private static final int TIME = 4;
  private static final int BATCH = 3;

  private final TensorScope scope = TensorScope.open();

  /** Floating inputs are zeros; numbers that are data come last. */
  record Refused(Op op, List<TensorSpec> zeros, List<double[]> data, DType dtype) {
    Named<Refused> named() {
      List<String> values = data.stream().map(Arrays::toString).toList();
      return Named.of(op.label() + " " + dtype.label() + " " + values, this);
    }
  }

  @AfterEach
  void close() {
    scope.close();
  }

  static Stream<Named<Refused>> all() {
    return Stream.of(alignments(), lengths(), classes()).flatMap(each -> each).map(Refused::named);
  }

  private static Stream<Refused> alignments() {
    double[] labels = {1, 2, 3, 1, 2, 3};
    double[] frames = {4, 4, 4};
    double[] counts = {2, 2, 2};
    return Stream.of(DType.INT32, DType.INT64)
        .flatMap(
            dtype ->
                Stream.of(
                    alignment(dtype, labels, new double[] {4, 0, 5}, counts),
                    alignment(dtype, labels, new double[] {4, 4, 5}, new double[] {2, 3, 2}),
                    alignment(dtype, labels, new double[] {4, 4, 5}, new double[] {2, 2, -1}),
                    alignment(dtype, new double[] {1, 2, 3, 0, 9, 9}, frames, counts),
                    alignment(dtype, new double[] {1, 2, 3, 5, 9, 9}, frames, counts),
                    alignment(dtype, new double[] {1, 2, 9, 9, 3, -7}, frames, twoOfTheLast())));
  }

  private static double[] twoOfTheLast() {
    return new double[] {2, 0, 2};
  }

  private static Refused alignment(DType dtype, double[] labels, double[] frames, double[] counts) {
    return new Refused(
        new CtcLoss(0, LossReduction.MEAN, true),
        List.of(TensorSpec.of(DType.FP32, TIME, BATCH, 5)),
        List.of(labels, frames, counts),
        dtype);
  }

  private static Stream<Refused> lengths() {
    return Stream.of(new double[] {4, 5, -1}, new double[] {4, 0, -1})
        .flatMap(
            lengths ->
                Stream.of(
                    new Refused(
                        new ReverseSequence(1, 0),
                        List.of(TensorSpec.of(DType.FP16, TIME, BATCH, 2)),
                        List.of(lengths),
                        DType.INT32),
                    recurrent(new Lstm(RAGGED), 4, 0, lengths),
                    recurrent(new Gru(RAGGED), 3, 0, lengths),
                    recurrent(
                        new LstmGradient(RAGGED, Collections.nCopies(5, false)), 4, 2, lengths),
                    recurrent(
                        new GruGradient(RAGGED, Collections.nCopies(5, true)), 3, 1, lengths)));
  }

  private static Refused recurrent(Recurrent op, int gates, int states, double[] lengths) {
    int hidden = 2;
    List<TensorSpec> in = new ArrayList<>();
    if (states > 0) {
      in.add(TensorSpec.of(DType.FP32, TIME, BATCH, hidden));
      in.addAll(Collections.nCopies(states, TensorSpec.of(DType.FP32, BATCH, hidden)));
      in.add(TensorSpec.of(DType.FP32, TIME, BATCH, 4 * hidden));
      in.add(TensorSpec.of(DType.FP32, TIME, BATCH, hidden));
    }
    in.add(TensorSpec.of(DType.FP32, TIME, BATCH, 3));
    in.add(TensorSpec.of(DType.FP32, gates * hidden, 3));
    in.add(TensorSpec.of(DType.FP32, gates * hidden, hidden));
    in.addAll(Collections.nCopies(2, TensorSpec.of(DType.FP32, gates * hidden)));
    return new Refused(op, in, List.of(lengths), DType.INT32);
  }

  private static Stream<Refused> classes() {
    SoftmaxCrossEntropy loss = new SoftmaxCrossEntropy();
    TensorSpec logits = TensorSpec.of(DType.FP32, BATCH, 5);
    double[] labels = {4, 5, -1};
    return Stream.of(
        new Refused(loss, List.of(logits), List.of(labels), DType.INT64),
        new Refused(
            new SoftmaxCrossEntropyGradient(loss), List.of(logits), List.of(labels), DType.INT32));
  }

  @ParameterizedTest
  @MethodSource("all")
  void theFirstIsToldOfInTheWordsOfTheReference(Refused refused) {
    List<Tensor> in = new ArrayList<>();
    refused.zeros().forEach(spec -> in.add(Tensor.of(scope, spec, new double[size(spec)])));
    for (double[] data : refused.data()) {
      boolean rows = data.length > BATCH;
      TensorSpec spec =
          rows
              ? TensorSpec.of(refused.dtype(), BATCH, data.length / BATCH)
              : TensorSpec.of(refused.dtype(), BATCH);
      in.add(Tensor.of(scope, spec, data));
    }
    if (refused.op() instanceof SoftmaxCrossEntropyGradient) {
      in.add(Tensor.scalar(scope, DType.FP32, 1));
    }
    try (Backend gpu = TestedGpu.open();
        Backend reference = new ReferenceBackend()) {
      assertEquals(told(reference, refused.op(), in), told(gpu, refused.op(), in));
    }
  }

  private static int size(TensorSpec spec) {
    return Math.toIntExact(spec.size());
  }

  private String told(Backend on, Op op, List<Tensor> in) {
    return assertThrows(DataException.class, () -> on.eager(scope).execute(op, in, PATH))
        .problem()
        .message();
  }
}
