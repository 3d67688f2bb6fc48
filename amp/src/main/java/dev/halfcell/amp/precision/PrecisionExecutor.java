package dev.halfcell.amp.precision;

import dev.halfcell.op.CellPath;
import dev.halfcell.op.Executor;
import dev.halfcell.op.Op;
import dev.halfcell.op.Ops;
import dev.halfcell.op.precision.Cast;
import dev.halfcell.op.precision.CastOverflow;
import dev.halfcell.op.precision.CellOutput;
import dev.halfcell.op.precision.StochasticCast;
import dev.halfcell.op.precision.WithPartials;
import dev.halfcell.tensor.DType;
import dev.halfcell.tensor.Problem;
import dev.halfcell.tensor.Tensor;
import dev.halfcell.tensor.UsageException;
import dev.halfcell.train.CastDraws;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

/**
 * The casting rules and numerics of a plan as a decorator. It stands above the tape, so that casts
 * have gradients: those of FP32 parameters come back as FP32.
 *
 * @param draws what casts to half are rounded by; none means to nearest
 */
record PrecisionExecutor(PrecisionPlan plan, Executor next, Optional<CastDraws> draws)
    implements Executor {
  @Override
  public List<Tensor> execute(Op op, List<Tensor> in, CellPath at) {
    if (op instanceof CellOutput) {
      return in.stream().map(x -> cast(x, plan.leaving(at), at)).toList();
    }
    Optional<DType> to = plan.computes(op, at, in);
    List<Tensor> taken =
        IntStream.range(0, in.size())
            .mapToObj(i -> op.castable(i) ? cast(in.get(i), to, at) : in.get(i))
            .toList();
    return next.execute(partial(plan.numerics().of(op), taken, at), taken, at);
  }

  /** Sums of products of half are kept as the plan says; those of FP32 as ever. */
  private Op partial(Op op, List<Tensor> taken, CellPath at) {
    DType dtype = plan.partials(at);
    boolean ofHalf = !taken.isEmpty() && taken.getFirst().dtype().half();
    return dtype.half() && ofHalf ? WithPartials.in(op, dtype) : op;
  }

  @Override
  public Tensor parameter(Tensor value, CellPath at, String name) {
    return plan.getter(at).map(getter -> handedOut(getter, value, at, name)).orElse(value);
  }

  private Tensor handedOut(ParameterGetter getter, Tensor value, CellPath at, String name) {
    Tensor seen = getter.get(at.child(name), value, new Ops(next, at));
    if (!seen.dtype().floating() || !seen.shape().equals(value.shape())) {
      throw new UsageException(
          new Problem(
              "getter",
              at.child(name).text(),
              "floating numbers of the parameter's shape, " + value.shape(),
              seen.spec().toString(),
              "Give back the value for parameters that the getter does not mean."));
    }
    return seen;
  }

  @Override
  public boolean castsByPlan() {
    return true;
  }

  /** Integers and FP64, which is for checks, are never cast. */
  private Tensor cast(Tensor x, Optional<DType> to, CellPath at) {
    boolean mayCast = x.dtype().floating() && x.dtype() != DType.FP64;
    return mayCast && to.isPresent() && to.get() != x.dtype() ? cast(x, to.get(), at) : x;
  }

  private Tensor cast(Tensor x, DType to, CellPath at) {
    Ops ops = new Ops(next, at);
    CastOverflow overflow = to.half() ? plan.numerics().castOverflow() : CastOverflow.INF;
    return draws
        .filter(_ -> to.half())
        .map(by -> ops.run(new StochasticCast(to, overflow, by.key(at)), x, by.counters(x)))
        .orElseGet(() -> ops.run(new Cast(to, overflow), x));
  }
}
