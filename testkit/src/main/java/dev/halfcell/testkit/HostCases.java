package dev.halfcell.testkit;

import static dev.halfcell.testkit.Argument.data;

import dev.halfcell.op.PrecisionClass;
import dev.halfcell.op.host.HostFunction;
import dev.halfcell.op.host.HostFunctionGradient;
import dev.halfcell.tensor.Shape;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;

final class HostCases {
  /** y = a · b and half of it, as a user would write it. */
  private static final HostFunction PRODUCT =
      HostFunction.of(
              "product",
              in -> List.of(in.getFirst(), in.getFirst()),
              in -> {
                double[] y = times(in.get(0), in.get(1));
                return List.of(y, Arrays.stream(y).map(value -> value / 2).toArray());
              })
          .withGradient(
              (in, _, d) -> {
                double[] both =
                    IntStream.range(0, d.get(0).length)
                        .mapToDouble(i -> d.get(0)[i] + d.get(1)[i] / 2)
                        .toArray();
                return List.of(times(both, in.get(1)), times(both, in.get(0)));
              })
          .withPrecision(PrecisionClass.INFER);

  private HostCases() {}

  private static double[] times(double[] a, double[] b) {
    return IntStream.range(0, a.length).mapToDouble(i -> a[i] * b[i]).toArray();
  }

  static Stream<OpCase> draw(Generator g) {
    Shape shape = g.shape(g.integer(1, 2));
    Argument x = data(shape, Fill.normals());
    HostFunctionGradient gradient =
        new HostFunctionGradient(PRODUCT, 2, List.of(g.flag(), g.flag()));
    return Stream.of(
        OpCase.of(PRODUCT, x, x).exactly().differentiable(2),
        OpCase.of(gradient, x, x, x, x, x, x).exactly());
  }
}
