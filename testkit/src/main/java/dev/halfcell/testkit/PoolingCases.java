package dev.halfcell.testkit;

import static dev.halfcell.testkit.Argument.data;
import static dev.halfcell.testkit.Argument.fixed;

import dev.halfcell.op.Padding2d;
import dev.halfcell.op.pooling.AdaptiveWindow2d;
import dev.halfcell.op.pooling.AvgPool2d;
import dev.halfcell.op.pooling.AvgPool2dGradient;
import dev.halfcell.op.pooling.MaxPool2d;
import dev.halfcell.op.pooling.MaxPool2dGradient;
import dev.halfcell.op.pooling.Window2d;
import dev.halfcell.op.pooling.Windows2d;
import dev.halfcell.tensor.DType;
import dev.halfcell.tensor.Shape;
import java.util.stream.Stream;

final class PoolingCases {
  private PoolingCases() {}

  static Stream<OpCase> draw(Generator g) {
    Window2d any =
        new Window2d(
            g.integer(1, 4), g.integer(1, 4), g.integer(1, 3), g.integer(1, 3), Padding2d.NONE);
    Padding2d padding =
        new Padding2d(
            g.integer(0, any.height() - 1),
            g.integer(0, any.height() - 1),
            g.integer(0, any.width() - 1),
            g.integer(0, any.width() - 1));
    Window2d padded =
        new Window2d(any.height(), any.width(), any.strideHeight(), any.strideWidth(), padding);
    Window2d square = Window2d.square(1 << g.integer(0, 2), g.integer(1, 2), 0);
    Windows2d adaptive = new AdaptiveWindow2d(g.integer(1, 5), g.integer(1, 5));
    return Stream.of(padded, any, square, adaptive, AdaptiveWindow2d.GLOBAL)
        .flatMap(windows -> cases(g, windows));
  }

  private static Stream<OpCase> cases(Generator g, Windows2d windows) {
    Shape least = least(windows);
    Shape x =
        Shape.of(
            g.integer(1, 3),
            g.size(),
            least.dim(0) + g.integer(0, 8),
            least.dim(1) + g.integer(0, 8));
    Shape y =
        Shape.of(x.dim(0), x.dim(1), windows.outputHeight(x.dim(2)), windows.outputWidth(x.dim(3)));
    int places = windows.mostRows(x.dim(2)) * windows.mostColumns(x.dim(3));
    boolean countPadding = g.flag();
    boolean alike = countPadding && windows instanceof Window2d;
    boolean powerOfTwo = alike && Integer.bitCount(places) == 1;
    Argument position =
        fixed(places <= 256 ? DType.UINT8 : DType.INT32, y, Fill.constant(insidePlace(windows)));
    return Stream.of(
        OpCase.of(new MaxPool2d(windows), data(x, Fill.distinct()))
            .exactly()
            .differentiable(1)
            .summing(places),
        OpCase.of(new MaxPool2d(windows), data(x, Fill.integers())).exactly(), // many equals
        OpCase.of(new MaxPool2dGradient(windows, x), data(y, Fill.integers()), position).exactly(),
        OpCase.of(new AvgPool2d(windows, countPadding), data(x, Fill.exact(powerOfTwo)))
            .exact(powerOfTwo)
            .differentiable(1)
            .summing(places),
        OpCase.of(new AvgPool2dGradient(windows, countPadding, x), data(y, Fill.exact(powerOfTwo)))
            .exact(powerOfTwo)
            .summing(places));
  }

  /** The smallest image. */
  private static Shape least(Windows2d windows) {
    return switch (windows) {
      case Window2d window -> Shape.of(window.height(), window.width());
      case AdaptiveWindow2d _ -> Shape.of(1, 1);
    };
  }

  /** A place that lies in the image for every window, whatever the padding. */
  private static int insidePlace(Windows2d windows) {
    return switch (windows) {
      case Window2d window -> window.padding().top() * window.width() + window.padding().left();
      case AdaptiveWindow2d _ -> 0;
    };
  }
}
