package dev.halfcell.train;

import dev.halfcell.backend.ReferenceBackend;
import dev.halfcell.backend.Variable;
import dev.halfcell.backend.Variables;
import dev.halfcell.nn.Cell;
import dev.halfcell.nn.Recording;
import dev.halfcell.op.Executor;
import dev.halfcell.tensor.DType;
import dev.halfcell.tensor.Problem;
import dev.halfcell.tensor.Tensor;
import dev.halfcell.tensor.TensorScope;
import dev.halfcell.tensor.TensorSpec;
import dev.halfcell.tensor.UsageException;
import java.lang.foreign.MemorySegment;

/**
 * The mean over all samples of their losses. The loss is computed for each sample alone, on the
 * reference backend, and summed in FP64, so that neither batches nor a smaller last one have a part
 * in it: equal outputs give equal bits. A sample that the loss ignores counts with the 0 that it
 * has.
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
   * @param loss (output, label) to one number for a sample, whatever its reduction
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
      Tensor number = scope.allocate(TensorSpec.of(DType.INT64, 1));
      Recording recording = new Recording(executor, new NoVariables(), loss, number, false);
      for (int row = 0; row < rows; row++) {
        sum += only(recording.call(loss, row(output, row), row(labels, row)));
      }
    }
    samples += rows;
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
