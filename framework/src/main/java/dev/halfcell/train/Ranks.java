package dev.halfcell.train;

import dev.halfcell.autodiff.Gradient;
import dev.halfcell.backend.Collective;
import dev.halfcell.backend.Variable;
import dev.halfcell.nn.Recording;
import dev.halfcell.op.Ops;
import dev.halfcell.op.collective.AllReduce;
import dev.halfcell.op.collective.AllReduce.Reduction;
import dev.halfcell.tensor.Tensor;
import java.util.List;

/**
 * What a step does together with the other ranks, so that the states of all stay the same bits. A
 * rank of its own records nothing.
 */
record Ranks(Collective collective, Ops below) {
  boolean several() {
    return collective.size() > 1;
  }

  /** The mean over the ranks of what each has. */
  Tensor mean(Tensor x) {
    return reduced(Reduction.MEAN, x);
  }

  /** The sum over the ranks. */
  Tensor sum(Tensor x) {
    return reduced(Reduction.SUM, x);
  }

  /** Whether it holds on every rank. */
  Tensor all(Tensor holds) {
    return reduced(Reduction.MIN, holds);
  }

  /** The mean of a gradient; rows of a table, which differ from rank to rank, become whole. */
  Gradient mean(Gradient gradient) {
    return several() ? new Gradient.Dense(mean(gradient.dense(below))) : gradient;
  }

  /** Running statistics become the mean over the ranks, each of which has seen its own batch. */
  void averageStatistics(Recording recording) {
    List<Variable> moved =
        recording.updates().keySet().stream()
            .filter(variable -> variable.kind() == Variable.Kind.STATISTIC)
            .filter(_ -> several())
            .toList();
    moved.forEach(statistic -> recording.update(statistic, mean(recording.read(statistic))));
  }

  private Tensor reduced(Reduction reduction, Tensor x) {
    return several() ? below.run(new AllReduce(reduction), x) : x;
  }
}
