package dev.halfcell.testkit;

import dev.halfcell.tensor.DType;
import dev.halfcell.tensor.FrameworkException;
import dev.halfcell.tensor.Shape;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Makes a failing case small: axes are halved, all of one size together or one alone, for as long
 * as the op still takes the shapes and the check still fails.
 */
final class Shrinking {
  private final Consumer<OpCase> check;
  private final DType dtype;

  private Shrinking(Consumer<OpCase> check, DType dtype) {
    this.check = check;
    this.dtype = dtype;
  }

  /**
   * Runs the check; where it fails, the error is that of the smallest case found.
   *
   * @param dtype one that the op takes
   */
  static void run(OpCase each, DType dtype, Consumer<OpCase> check) {
    try {
      check.accept(each);
    } catch (AssertionError e) {
      OpCase smallest = new Shrinking(check, dtype).smallest(each);
      AssertionError error = new Shrinking(check, dtype).failure(smallest).orElse(e);
      throw new AssertionError(
          "%s%nshrunk from %s%nagain with -Dhalfcell.testkit.seed=%d"
              .formatted(error.getMessage(), each.describe(dtype), Generator.seed()),
          error);
    }
  }

  private OpCase smallest(OpCase from) {
    OpCase smallest = from;
    Optional<OpCase> next = Optional.of(from);
    while (next.isPresent()) {
      smallest = next.get();
      next = smaller(smallest).filter(c -> failure(c).isPresent()).findFirst();
    }
    return smallest;
  }

  private Stream<OpCase> smaller(OpCase each) {
    Stream<OpCase> together =
        each.arguments().stream()
            .flatMap(a -> a.shape().dims().stream())
            .filter(size -> size > 1)
            .distinct()
            .map(size -> halved(each, size));
    Stream<OpCase> alone =
        IntStream.range(0, each.arguments().size())
            .boxed()
            .flatMap(input -> halvedAlone(each, input));
    return Stream.concat(together, alone).filter(this::taken);
  }

  private static OpCase halved(OpCase each, int size) {
    return each.with(
        each.arguments().stream()
            .map(
                a ->
                    a.with(
                        new Shape(
                            a.shape().dims().stream().map(d -> d == size ? d / 2 : d).toList())))
            .toList());
  }

  private static Stream<OpCase> halvedAlone(OpCase each, int input) {
    Argument argument = each.arguments().get(input);
    return IntStream.range(0, argument.shape().rank())
        .filter(axis -> argument.shape().dim(axis) > 1)
        .mapToObj(axis -> each.with(input, argument.with(halvedAxis(argument.shape(), axis))));
  }

  private static Shape halvedAxis(Shape shape, int axis) {
    int[] dims = shape.toArray();
    dims[axis] /= 2;
    return Shape.of(dims);
  }

  private boolean taken(OpCase each) {
    try {
      List.copyOf(each.inferred(dtype));
      return true;
    } catch (FrameworkException e) {
      return false;
    }
  }

  /** Only a wrong answer counts: an op may well refuse labels that no longer fit. */
  private Optional<AssertionError> failure(OpCase each) {
    try {
      check.accept(each);
      return Optional.empty();
    } catch (AssertionError e) {
      return Optional.of(e);
    } catch (FrameworkException e) {
      return Optional.empty();
    }
  }
}
