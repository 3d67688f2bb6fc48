package dev.halfcell.testkit;

import dev.halfcell.op.Op;
import dev.halfcell.op.attention.Attention;
import dev.halfcell.op.collective.CollectiveOp;
import dev.halfcell.op.convolution.Convolution;
import dev.halfcell.op.elementwise.Elementwise;
import dev.halfcell.op.host.Host;
import dev.halfcell.op.indexing.Indexing;
import dev.halfcell.op.linear.Linear;
import dev.halfcell.op.loss.Loss;
import dev.halfcell.op.normalization.Normalization;
import dev.halfcell.op.pooling.Pooling;
import dev.halfcell.op.precision.Precision;
import dev.halfcell.op.random.RandomOp;
import dev.halfcell.op.recurrent.Recurrent;
import dev.halfcell.op.reduction.Reduction;
import dev.halfcell.op.shape.Rearrangement;
import dev.halfcell.op.update.Update;
import java.util.List;
import java.util.function.Function;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** Cases of every op there is. An op without one fails its contract. */
public final class OpCases {
  private static final int SHAPES = 12;

  private OpCases() {}

  /** All cases, drawn anew from a seed. */
  public static List<OpCase> all(long seed) {
    return all(seed, SHAPES);
  }

  /** The same from so many random shapes for each family. */
  static List<OpCase> all(long seed, int shapes) {
    Generator generator = new Generator(seed);
    return families().flatMap(family -> family.draw(generator, shapes)).toList();
  }

  /** The cases of one op; of the other families nothing is drawn. */
  public static List<OpCase> of(Class<?> op, long seed) {
    Generator generator = new Generator(seed);
    return families()
        .filter(family -> family.type().isAssignableFrom(op))
        .flatMap(family -> family.draw(generator, SHAPES))
        .filter(each -> each.op().getClass() == op)
        .toList();
  }

  private static Stream<Family> families() {
    return Stream.of(
        new Family(Elementwise.class, ElementwiseCases::draw),
        new Family(Elementwise.class, CurveCases::draw),
        new Family(Reduction.class, ReductionCases::draw),
        new Family(Linear.class, LinearCases::draw),
        new Family(Convolution.class, ConvolutionCases::draw),
        new Family(Pooling.class, PoolingCases::draw),
        new Family(Normalization.class, NormalizationCases::draw),
        new Family(Recurrent.class, RecurrentCases::draw),
        new Family(Normalization.class, GroupwiseCases::draw),
        new Family(Rearrangement.class, ShapeCases::draw),
        new Family(RandomOp.class, RandomCases::draw),
        new Family(Rearrangement.class, RearrangementCases::draw),
        new Family(Indexing.class, IndexingCases::draw),
        new Family(Loss.class, LossCases::draw),
        new Family(Precision.class, PrecisionCases::draw),
        new Family(Update.class, UpdateCases::draw),
        new Family(Attention.class, AttentionCases::draw),
        new Family(CollectiveOp.class, CollectiveCases::draw),
        new Family(Host.class, HostCases::draw));
  }

  /** What draws cases of a family's ops from one random shape. */
  private record Family(Class<? extends Op> type, Function<Generator, Stream<OpCase>> cases) {
    Stream<OpCase> draw(Generator generator, int shapes) {
      return IntStream.range(0, shapes).boxed().flatMap(_ -> cases.apply(generator));
    }
  }
}
