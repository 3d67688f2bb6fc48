package dev.halfcell.train;

import dev.halfcell.backend.Plan;
import dev.halfcell.tensor.TensorSpec;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.SequencedMap;
import java.util.function.Function;

/**
 * The plans of one step by the signature of the inputs that each was compiled for. Beyond {@link
 * #MOST} of them the one that was not used for longest makes room: sequences of ever other lengths
 * do not fill the memory. One thread.
 */
final class PlanCache implements AutoCloseable {
  /** How many plans are kept. */
  static final int MOST = 32;

  private final Function<List<TensorSpec>, Plan> compile;
  private final SequencedMap<List<TensorSpec>, Plan> plans =
      new LinkedHashMap<>(2 * MOST, 0.75f, true); // in the order of use

  PlanCache(Function<List<TensorSpec>, Plan> compile) {
    this.compile = compile;
  }

  /** The plan for inputs of this signature, compiled now unless it is there. */
  Plan of(List<TensorSpec> signature) {
    Plan known = plans.get(signature);
    if (known != null) {
      return known;
    }
    while (plans.size() >= MOST) {
      plans.pollFirstEntry().getValue().close();
    }
    Plan compiled = compile.apply(signature);
    plans.put(signature, compiled);
    return compiled;
  }

  int size() {
    return plans.size();
  }

  @Override
  public void close() {
    plans.values().forEach(Plan::close);
    plans.clear();
  }
}
