package dev.halfcell.train;

import dev.halfcell.backend.Backend;
import dev.halfcell.backend.Collective;
import dev.halfcell.backend.Graph;
import dev.halfcell.backend.Outcome;
import dev.halfcell.backend.Plan;
import dev.halfcell.backend.PlanOptions;
import dev.halfcell.backend.TracingExecutor;
import dev.halfcell.backend.Variables;
import dev.halfcell.data.Batch;
import dev.halfcell.nn.Cell;
import dev.halfcell.nn.Recording;
import dev.halfcell.tensor.ArgumentException;
import dev.halfcell.tensor.DType;
import dev.halfcell.tensor.Tensor;
import dev.halfcell.tensor.TensorSpec;
import java.util.List;

/**
 * A network that only computes its output: no tape, running statistics instead of the batch's,
 * nothing written to the state. It sees the state as it is at each call. One thread at a time.
 */
public final class Inference implements AutoCloseable {
  private final Cell net;
  private final PrecisionRules rules;
  private final Variables state;
  private final Backend backend;
  private final PlanCache plans = new PlanCache(this::compile);
  private PrecisionRules compiledBy;

  /**
   * The forward pass of {@code net} on the values of {@code state}.
   *
   * @param rules where they are others than before, what was compiled is compiled again
   */
  public Inference(Cell net, PrecisionRules rules, Variables state, Backend backend) {
    this.net = net;
    this.rules = rules;
    this.compiledBy = rules.now();
    this.state = state;
    this.backend = backend;
  }

  /** The output for a batch of data, in the network's inputs; valid until the next call. */
  public Tensor run(Tensor... data) {
    for (int i = 0; i < data.length; i++) {
      ArgumentException.requirePresent(data[i], "Inference", "input " + i);
    }
    PrecisionRules now = rules.now();
    if (!now.equals(compiledBy)) {
      plans.close();
      compiledBy = now;
    }
    List<Tensor> in = List.of(data);
    return plans.of(Tensor.specs(in)).run(in).getFirst();
  }

  private Plan compile(List<TensorSpec> data) {
    return backend.compile(trace(data), state, PlanOptions.FULL, Collective.single());
  }

  /** The forward pass as a graph, for data of these specs. */
  public Graph trace(List<TensorSpec> data) {
    Batch.requireRows(data);
    TracingExecutor tracing = new TracingExecutor(state);
    Tensor[] x = data.stream().map(tracing::input).toArray(Tensor[]::new);
    Tensor samples = Tensor.symbol(TensorSpec.of(DType.INT64, data.getFirst().dim(0)));
    Variables stored = new StoredParameters(tracing, tracing);
    Recording recording = new Recording(rules.over(tracing), stored, net, samples, false);
    Tensor y = recording.call(net, x);
    return tracing.graph(Outcome.of(List.of(y)));
  }

  @Override
  public void close() {
    plans.close();
  }
}
