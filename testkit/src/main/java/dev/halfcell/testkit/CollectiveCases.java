package dev.halfcell.testkit;

import static dev.halfcell.testkit.Argument.data;
import static dev.halfcell.testkit.Argument.fixed;

import dev.halfcell.op.collective.AllReduce;
import dev.halfcell.op.collective.AllReduce.Reduction;
import dev.halfcell.tensor.DType;
import dev.halfcell.tensor.Shape;
import java.util.stream.Stream;

/** Cases of what ranks do together, for a rank of its own; of several: {@link RanksContract}. */
final class CollectiveCases {
  private CollectiveCases() {}

  static Stream<OpCase> draw(Generator g) {
    Shape shape = g.shape(g.integer(1, 4));
    Argument x = data(shape, Fill.normals());
    return Stream.of(
        OpCase.of(new AllReduce(Reduction.SUM), x).exactly(),
        OpCase.of(new AllReduce(Reduction.MEAN), x).exactly(),
        OpCase.of(new AllReduce(Reduction.MAX), x).exactly(),
        OpCase.of(new AllReduce(Reduction.MIN), x).exactly(),
        OpCase.of(new AllReduce(Reduction.SUM), fixed(DType.INT64, shape, Fill.labels(1000)))
            .exactly(),
        OpCase.of(new AllReduce(Reduction.MIN), fixed(DType.BOOL, shape, Fill.labels(2)))
            .exactly());
  }
}
