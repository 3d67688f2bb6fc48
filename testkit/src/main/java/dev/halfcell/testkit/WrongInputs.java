package dev.halfcell.testkit;

import dev.halfcell.tensor.DType;
import dev.halfcell.tensor.Shape;
import dev.halfcell.tensor.TensorSpec;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** The inputs of a right case, changed in one thing: most ops take few of them. */
final class WrongInputs {
  private static final List<DType> OTHERS =
      List.of(DType.FP32, DType.FP16, DType.BF16, DType.INT64, DType.INT32, DType.BOOL);

  private WrongInputs() {}

  /** Cases with one input missing, added, of another dtype, of another rank or of another size. */
  static Stream<OpCase> of(OpCase right, DType tested) {
    OpCase fixed =
        right.with(right.arguments().stream().map(argument -> fixed(argument, tested)).toList());
    return of(fixed.arguments(), tested).map(fixed::with);
  }

  /** The same of inputs by themselves. */
  static Stream<List<Argument>> of(List<Argument> right, DType tested) {
    Stream<List<Argument>> each =
        IntStream.range(0, right.size())
            .boxed()
            .flatMap(
                input ->
                    Stream.concat(
                        Stream.of(without(right, input)),
                        changed(right.get(input), tested).map(o -> with(right, input, o))));
    return Stream.concat(each, Stream.of(oneMore(right)));
  }

  private static Argument fixed(Argument argument, DType tested) {
    return Argument.fixed(argument.spec(tested).dtype(), argument.shape(), argument.fill());
  }

  private static List<Argument> without(List<Argument> right, int input) {
    List<Argument> rest = new ArrayList<>(right);
    rest.remove(input);
    return rest;
  }

  private static List<Argument> with(List<Argument> right, int input, Argument other) {
    List<Argument> others = new ArrayList<>(right);
    others.set(input, other);
    return others;
  }

  private static List<Argument> oneMore(List<Argument> right) {
    List<Argument> more = new ArrayList<>(right);
    more.add(more.getLast());
    return more;
  }

  private static Stream<Argument> changed(Argument right, DType tested) {
    TensorSpec spec = right.spec(tested);
    Stream<Argument> dtypes =
        OTHERS.stream()
            .filter(dtype -> dtype != spec.dtype())
            .map(dtype -> Argument.fixed(dtype, spec.shape(), right.fill()));
    return Stream.concat(dtypes, shapes(spec.shape()).map(right::with));
  }

  private static Stream<Shape> shapes(Shape right) {
    Stream<Shape> ranks = Stream.of(right.behind(1), right.behind(2), longer(right));
    Stream<Shape> shorter = right.rank() == 0 ? Stream.of() : Stream.of(right.tail());
    Stream<Shape> sizes =
        IntStream.range(0, right.rank())
            .boxed()
            .flatMap(
                axis -> Stream.of(sized(right, axis, right.dim(axis) + 1), sized(right, axis, 1)))
            .filter(shape -> !shape.equals(right));
    return Stream.of(ranks, shorter, sizes).flatMap(shapes -> shapes);
  }

  private static Shape longer(Shape right) {
    List<Integer> dims = new ArrayList<>(right.dims());
    dims.add(2);
    return new Shape(dims);
  }

  private static Shape sized(Shape right, int axis, int size) {
    int[] dims = right.toArray();
    dims[axis] = size;
    return Shape.of(dims);
  }
}
