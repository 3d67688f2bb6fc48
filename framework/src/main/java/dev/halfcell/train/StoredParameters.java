package dev.halfcell.train;

import dev.halfcell.backend.Outcome;
import dev.halfcell.backend.Variable;
import dev.halfcell.backend.Variables;
import dev.halfcell.op.Executor;
import dev.halfcell.op.Ops;
import dev.halfcell.op.precision.Cast;
import dev.halfcell.op.precision.CastOverflow;
import dev.halfcell.op.precision.StochasticCast;
import dev.halfcell.op.random.RandomKey;
import dev.halfcell.tensor.DType;
import dev.halfcell.tensor.Tensor;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * A state whose parameters may be kept in half, as a step sees it: they are FP32 where they are
 * read, and rounded once where the step's outcome is assigned. Made for one description; one
 * thread.
 */
final class StoredParameters implements Variables {
  private final Variables state;
  private final Executor executor;
  private final Map<Variable, Tensor> widened = new HashMap<>();

  /** {@code executor} stands below the tape: the gradient is by the FP32 value. */
  StoredParameters(Variables state, Executor executor) {
    this.state = state;
    this.executor = executor;
  }

  @Override
  public Tensor read(Variable variable) {
    return inHalf(variable)
        ? widened.computeIfAbsent(variable, v -> ops(v).cast(state.read(v), DType.FP32))
        : state.read(variable);
  }

  @Override
  public long seed() {
    return state.seed();
  }

  /** The outcome with parameters rounded as {@code storage} has them. */
  Outcome<Tensor> rounded(Outcome<Tensor> outcome, ParameterStorage storage) {
    Map<Variable, Tensor> assigns = new LinkedHashMap<>(outcome.assigns());
    assigns.replaceAll((v, value) -> inHalf(v) ? rounded(v, value, storage) : value);
    return new Outcome<>(outcome.results(), outcome.apply(), assigns);
  }

  private Tensor rounded(Variable parameter, Tensor value, ParameterStorage storage) {
    if (!storage.stochastic()) {
      return ops(parameter).run(new Cast(storage.dtype()), value);
    }
    RandomKey key = new RandomKey(seed(), parameter.path().child("(stored)"), 0);
    return ops(parameter)
        .run(
            new StochasticCast(storage.dtype(), CastOverflow.INF, key),
            value,
            state.read(Variable.applied()));
  }

  private boolean inHalf(Variable variable) {
    return variable.kind() == Variable.Kind.PARAMETER && state.read(variable).dtype().half();
  }

  private Ops ops(Variable parameter) {
    return new Ops(executor, parameter.path());
  }
}
