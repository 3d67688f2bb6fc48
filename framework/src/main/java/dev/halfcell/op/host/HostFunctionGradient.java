package dev.halfcell.op.host;

import dev.halfcell.op.Backward;
import dev.halfcell.op.CellPath;
import dev.halfcell.op.PrecisionClass;
import dev.halfcell.op.Requirements;
import dev.halfcell.tensor.Tensor;
import dev.halfcell.tensor.TensorSpec;
import java.util.ArrayList;
import java.util.List;

/**
 * (in…, out…, d of each floating-point out) → the gradients of a {@link HostFunction} by its
 * leading floating-point inputs, each rounded once.
 *
 * @param function the function that is differentiated
 * @param inputs how many inputs it has
 * @param wide for each gradient, whether it leaves unrounded, in FP32
 */
public record HostFunctionGradient(HostFunction function, int inputs, List<Boolean> wide)
    implements Host {
  public HostFunctionGradient {
    wide = List.copyOf(wide);
  }

  @Override
  public PrecisionClass precision() {
    return function.precision();
  }

  @Override
  public String label() {
    return function.name() + " gradient";
  }

  @Override
  public List<TensorSpec> infer(List<TensorSpec> in, CellPath at) {
    Requirements must = new Requirements(this, in, at).count(inputs + 2, Integer.MAX_VALUE);
    List<TensorSpec> given = new ArrayList<>(in.subList(0, inputs));
    List<TensorSpec> out = function.infer(given, at);
    List<TensorSpec> all = new ArrayList<>(given);
    all.addAll(out);
    out.stream().filter(spec -> spec.dtype().floating()).forEach(all::add);
    must.shape(in.equals(all), "inputs of " + all, "Pass inputs, results and their gradients.");
    List<TensorSpec> gradients = new ArrayList<>();
    for (int i = 0; i < wide.size(); i++) {
      TensorSpec x = given.get(i);
      gradients.add(wide.get(i) ? x.as(x.dtype().wide()) : x);
    }
    return gradients;
  }

  /** The elements of the gradients. */
  public List<double[]> compute(List<Tensor> in, List<TensorSpec> promised, CellPath at) {
    List<double[]> values = in.stream().map(Tensor::toArray).toList();
    int outputs = function.infer(Tensor.specs(in.subList(0, inputs)), at).size();
    return function.differentiate(
        values.subList(0, inputs),
        values.subList(inputs, inputs + outputs),
        values.subList(inputs + outputs, values.size()),
        promised,
        at);
  }

  @Override
  public List<Tensor> gradient(Backward b) {
    throw b.none();
  }
}
