package dev.halfcell.backend;

import dev.halfcell.op.CellPath;
import dev.halfcell.op.Direction;
import dev.halfcell.op.Executor;
import dev.halfcell.op.Op;
import dev.halfcell.op.collective.AllReduce;
import dev.halfcell.tensor.Tensor;
import java.util.List;

/** Runs ops one by one as one rank of several: what the ranks do together, they do here. */
public record CollectiveExecutor(Executor next, Collective collective) implements Executor {
  @Override
  public List<Tensor> execute(Op op, List<Tensor> in, CellPath at) {
    List<Tensor> out = next.execute(op, in, at);
    if (op instanceof AllReduce(var reduction)) {
      collective.allReduce(reduction, out.getFirst(), at);
    }
    return out;
  }

  @Override
  public Executor in(Direction part) {
    return new CollectiveExecutor(next.in(part), collective);
  }
}
