package dev.halfcell.train;

import dev.halfcell.backend.ReferenceBackend;
import dev.halfcell.backend.Variable;
import dev.halfcell.backend.Variables;
import dev.halfcell.nn.Cell;
import dev.halfcell.nn.Recording;
import dev.halfcell.op.Executor;
import dev.halfcell.tensor.DType;
import dev.halfcell.tensor.Problem;
import dev.halfcell.tensor.Shape;
import dev.halfcell.tensor.Tensor;
import dev.halfcell.tensor.TensorScope;
import dev.halfcell.tensor.TensorSpec;
import dev.halfcell.tensor.UsageException;
import java.lang.foreign.MemorySegment;

/**
 * The mean over all samples of their losses. Those are computed on the reference backend and summed
 * in FP64, one after the other, so that neither batches nor a smaller last one have a part in it:
 * equal outputs give equal bits. A sample that the loss ignores counts with the 0 that it has. A
 * loss without reduction gives those of a batch at once, which is faster; any other is computed for
 * each sample alone, to the same bits.
 *
 * <p>Shapes: outputs [N, ...], labels [N, ...], as the loss takes them.
 *
 * <p>Source: MindSpore, nn.Loss.
 */
public final class Loss implements Metric {
  private final Cell loss;
  private double sum;
  private long samples;

  /**
   * Of this loss, which has no parameters.
   *
   * @param loss (outputs, labels) to one number for each sample, whatever its reduction
   */
  public Loss(Cell loss) {
    this.loss = loss;
  }

  @Override
  public String name() {
    return "loss";
  }

  @Override
  public void update(Tensor output, Tensor labels) {
    requireRows(output.spec(), labels.spec());
    int rows = output.spec().dim(0);
    try (ReferenceBackend backend = new ReferenceBackend();
        TensorScope scope = TensorScope.open()) {
      Executor executor = backend.eager(scope);
      Tensor all = recording(executor, scope, rows).call(loss, output, labels);
      if (all.shape().equals(Shape.of(rows))) {
        addAll(all);
      } else {
        addEach(recording(executor, scope, 1), output, labels);
      }
    }
    samples += rows;
  }

  private Recording recording(Executor executor, TensorScope scope, int rows) {
    Tensor numbers = scope.allocate(TensorSpec.of(DType.INT64, rows));
    return new Recording(executor, new NoVariables(), loss, numbers, false);
  }

  private void addAll(Tensor losses) {
    for (int row = 0; row < losses.spec().dim(0); row++) {
      sum += losses.at(row);
    }
  }

  private void addEach(Recording one, Tensor output, Tensor labels) {
    for (int row = 0; row < output.spec().dim(0); row++) {
      sum += only(one.call(loss, row(output, row), row(labels, row)));
    }
  }

  private static void requireRows(TensorSpec output, TensorSpec labels) {
    if (output.rank() == 0 || labels.rank() == 0 || output.dim(0) != labels.dim(0)) {
      throw problem("outputs of [N, ...] and labels of [N, ...]", output + " and " + labels);
    }
  }

  private static Tensor row(Tensor batch, int row) {
    TensorSpec one = batch.spec().as(batch.shape().tail().behind(1));
    MemorySegment data = batch.data().asSlice(row * one.bytes(), one.bytes());
    return Tensor.over(one, data);
  }

  private static double only(Tensor loss) {
    if (loss.spec().size() != 1) {
      throw problem("a loss of one number for a sample", loss.spec().toString());
    }
    return loss.at(0);
  }

  private static UsageException problem(String expected, String got) {
    return new UsageException(
        new Problem("loss", "", expected, got, "Give it the loss that the network trains with."));
  }

  @Override
  public double value() {
    return Metric.mean(name(), sum, samples);
  }

  /** What a loss may read. */
  private record NoVariables() implements Variables {
    @Override
    public Tensor read(Variable variable) {
      throw problem("a loss without parameters", "one that reads " + variable.path().text());
    }

    @Override
    public long seed() {
      return 0;
    }
  }
}
