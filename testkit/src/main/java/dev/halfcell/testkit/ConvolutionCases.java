package dev.halfcell.testkit;

import static dev.halfcell.testkit.Argument.data;

import dev.halfcell.op.Padding2d;
import dev.halfcell.op.convolution.Conv2d;
import dev.halfcell.op.convolution.Conv2dGeometry;
import dev.halfcell.op.convolution.Conv2dInputGradient;
import dev.halfcell.op.convolution.Conv2dTranspose;
import dev.halfcell.op.convolution.Conv2dWeightGradient;
import dev.halfcell.tensor.Shape;
import java.util.stream.Stream;

final class ConvolutionCases {
  private ConvolutionCases() {}

  static Stream<OpCase> draw(Generator g) {
    return Stream.of(true, false).flatMap(exact -> Drawn.of(g).cases(exact, g.flag()));
  }

  /** A convolution whose shapes fit. */
  private record Drawn(Conv2dGeometry geometry, Shape x, Shape weight, Shape y) {
    static Drawn of(Generator g) {
      int groups = g.integer(1, 3) == 3 ? g.integer(2, 4) : 1;
      Shape weight =
          Shape.of(groups * g.integer(1, 5), g.integer(1, 5), g.integer(1, 3), g.integer(1, 3));
      Padding2d padding =
          g.flag()
              ? Padding2d.of(g.integer(0, 2))
              : new Padding2d(g.integer(0, 2), g.integer(0, 2), g.integer(0, 2), g.integer(0, 2));
      Conv2dGeometry geometry =
          new Conv2dGeometry(
              g.integer(1, 3), g.integer(1, 3), padding, g.integer(1, 2), g.integer(1, 2), groups);
      int height = geometry.dilationHeight() * (weight.dim(2) - 1) + g.integer(1, 9);
      int width = geometry.dilationWidth() * (weight.dim(3) - 1) + g.integer(1, 9);
      Shape x = Shape.of(g.integer(1, 3), groups * weight.dim(1), height, width);
      Shape y =
          Shape.of(
              x.dim(0),
              weight.dim(0),
              geometry.outputHeight(height, weight.dim(2)),
              geometry.outputWidth(width, weight.dim(3)));
      return new Drawn(geometry, x, weight, y);
    }

    /** The transposed convolution that leads from y's shape back to x's. */
    private Conv2dTranspose transpose() {
      int height = x.dim(2) + geometry.padding().top() + geometry.padding().bottom();
      int width = x.dim(3) + geometry.padding().left() + geometry.padding().right();
      int kernelHeight = geometry.dilationHeight() * (weight.dim(2) - 1) + 1;
      int kernelWidth = geometry.dilationWidth() * (weight.dim(3) - 1) + 1;
      return new Conv2dTranspose(
          geometry,
          (height - kernelHeight) % geometry.strideHeight(),
          (width - kernelWidth) % geometry.strideWidth());
    }

    Stream<OpCase> cases(boolean exact, boolean wide) {
      Fill fill = Fill.exact(exact);
      Argument image = data(x, fill);
      Argument kernel = data(weight, fill);
      Argument bias = data(Shape.of(weight.dim(0)), fill);
      Argument d = data(y, fill);
      int window = (int) weight.tail().size();
      int plane = y.dim(0) * y.dim(2) * y.dim(3);
      int reached = (int) weight.size() / weight.dim(1);
      int most = Math.max(window, Math.max(plane, reached));
      return Stream.of(
              OpCase.of(new Conv2d(geometry), image, kernel).differentiable(2).summing(most),
              OpCase.of(new Conv2d(geometry), image, kernel, bias).differentiable(3).summing(most),
              OpCase.of(transpose(), d, kernel).differentiable(2).summing(most),
              OpCase.of(transpose(), d, kernel, data(Shape.of(x.dim(1)), fill))
                  .differentiable(3)
                  .summing(Math.max(most, x.dim(0) * x.dim(2) * x.dim(3))),
              OpCase.of(new Conv2dInputGradient(geometry, x), d, kernel).summing(reached),
              OpCase.of(new Conv2dWeightGradient(geometry, weight, wide), d, image).summing(plane))
          .map(each -> each.exact(exact));
    }
  }
}
