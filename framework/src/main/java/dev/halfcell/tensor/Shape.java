package dev.halfcell.tensor;

import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * The sizes of a tensor's axes, outermost first; a scalar has none. Each size is at least 1, and
 * there are at most 2³¹ − 1 elements, so that a position is an int.
 */
public record Shape(List<Integer> dims) {
  /** The shape of a scalar. */
  public static final Shape SCALAR = new Shape(List.of());

  public Shape {
    dims = List.copyOf(dims);
    for (int dim : dims) {
      if (dim < 1) {
        throw new ArgumentException(
            new Problem(
                "Shape",
                "",
                "sizes of at least 1",
                text(dims),
                "An empty batch cannot be computed on."));
      }
    }
    if (!countable(dims.stream().mapToLong(Integer::longValue).toArray())) {
      throw new ArgumentException(
          new Problem(
              "Shape",
              "",
              "at most " + Integer.MAX_VALUE + " elements",
              text(dims),
              "Take a smaller batch, or split the tensor."));
    }
  }

  /** Whether these sizes, each at least 1, make no more elements than a shape may have. */
  public static boolean countable(long... dims) {
    long elements = 1;
    for (long dim : dims) {
      if (dim > Integer.MAX_VALUE / elements) {
        return false;
      }
      elements *= dim;
    }
    return true;
  }

  /** A shape of these sizes. */
  public static Shape of(int... dims) {
    return new Shape(Arrays.stream(dims).boxed().toList());
  }

  /** The number of axes. */
  public int rank() {
    return dims.size();
  }

  /** The size of an axis. */
  public int dim(int axis) {
    return dims.get(axis);
  }

  /** The number of elements. */
  public long size() {
    long size = 1;
    for (int dim : dims) {
      size *= dim;
    }
    return size;
  }

  /** This shape without its first axis. */
  public Shape tail() {
    return new Shape(dims.subList(1, rank()));
  }

  /** The first {@code axes} axes. */
  public Shape head(int axes) {
    return new Shape(dims.subList(0, axes));
  }

  /** This shape with further axes after the last. */
  public Shape then(int... last) {
    return new Shape(
        IntStream.concat(dims.stream().mapToInt(d -> d), IntStream.of(last)).boxed().toList());
  }

  /** This shape behind a further first axis. */
  public Shape behind(int first) {
    return new Shape(
        IntStream.concat(IntStream.of(first), dims.stream().mapToInt(d -> d)).boxed().toList());
  }

  /** The sizes as an array of its own. */
  public int[] toArray() {
    return dims.stream().mapToInt(d -> d).toArray();
  }

  private static String text(List<Integer> dims) {
    return dims.stream().map(String::valueOf).collect(Collectors.joining(", ", "[", "]"));
  }

  @Override
  public String toString() {
    return text(dims);
  }
}
