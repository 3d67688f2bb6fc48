package dev.halfcell.verify;

import dev.halfcell.op.Ops;
import dev.halfcell.op.normalization.BatchNorm;
import dev.halfcell.op.normalization.Normalize;
import dev.halfcell.op.normalization.RunningAverage;
import dev.halfcell.tensor.Tensor;
import dev.halfcell.tensor.TensorScope;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.SequencedMap;
import java.util.function.Function;

/**
 * Batch normalisation in training, its running statistics after that step (they begin at mean 0 and
 * variance 1), and in evaluation with them.
 *
 * @param momentum PyTorch's: the share of the batch's statistics that is taken in
 */
record BatchNormComputation(double momentum, double epsilon) implements OpComputation {
  @Override
  public SequencedMap<String, Tensor> outputs(
      Ops ops, Function<String, Tensor> in, TensorScope scope) {
    Tensor x = in.apply("x");
    Tensor gamma = in.apply("gamma");
    Tensor beta = in.apply("beta");
    double elements = (double) x.spec().size() / x.spec().dim(1);
    List<Tensor> trained = ops.runAll(new BatchNorm(epsilon), x, gamma, beta);
    Tensor zeros = scope.allocate(gamma.spec());
    double[] one = new double[Math.toIntExact(gamma.spec().size())];
    Arrays.fill(one, 1);
    Tensor ones = Tensor.of(scope, gamma.spec(), one);
    double unbiased = elements / (elements - 1);
    Tensor mean = ops.run(new RunningAverage(1 - momentum, 1), zeros, trained.get(1));
    Tensor variance = ops.run(new RunningAverage(1 - momentum, unbiased), ones, trained.get(2));
    SequencedMap<String, Tensor> outputs = new LinkedHashMap<>();
    outputs.put(OUTPUT, trained.getFirst());
    outputs.put("running_mean_after", mean);
    outputs.put("running_var_after", variance);
    outputs.put("eval_out", ops.run(new Normalize(epsilon), x, gamma, beta, mean, variance));
    return outputs;
  }
}
