package dev.halfcell.testkit;

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
    Stream<Function<Generator, Stream<OpCase>>> families =
        Stream.of(
            ElementwiseCases::draw,
            CurveCases::draw,
            ReductionCases::draw,
            LinearCases::draw,
            ConvolutionCases::draw,
            PoolingCases::draw,
            NormalizationCases::draw,
            RecurrentCases::draw,
            GroupwiseCases::draw,
            ShapeCases::draw,
            RearrangementCases::draw,
            IndexingCases::draw,
            LossCases::draw,
            PrecisionCases::draw,
            UpdateCases::draw,
            AttentionCases::draw,
            HostCases::draw);
    return families
        .flatMap(family -> IntStream.range(0, shapes).boxed().flatMap(_ -> family.apply(generator)))
        .toList();
  }

  /** The cases of one op. */
  public static List<OpCase> of(Class<?> op, long seed) {
    return all(seed).stream().filter(each -> each.op().getClass() == op).toList();
  }
}
