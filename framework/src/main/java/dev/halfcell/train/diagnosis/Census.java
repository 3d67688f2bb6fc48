package dev.halfcell.train.diagnosis;

import static java.util.Comparator.naturalOrder;

import dev.halfcell.tensor.Elements;
import dev.halfcell.tensor.Tensor;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Locale;

/**
 * How many values of a tensor are of which kind.
 *
 * @param elements how many there are
 * @param zeros how many are 0
 * @param subnormals how many are smaller than the smallest number that the dtype holds with all its
 *     bits, and not 0
 * @param infinities how many are an infinity
 * @param nans how many are no number
 * @param min the least of those that are finite; NaN where none is
 * @param max the largest of those that are finite; NaN where none is
 */
public record Census(
    long elements,
    long zeros,
    long subnormals,
    long infinities,
    long nans,
    double min,
    double max) {
  /** The worst kind of value in a tensor, the worse the later. */
  public enum Kind {
    /** All are finite. */
    FINITE,
    /** Some are infinite, none is NaN. */
    INFINITE,
    /** Some are NaN. */
    NAN
  }

  /** The worst kind in any of these. */
  public static Kind worst(List<Tensor> tensors) {
    return tensors.stream()
        .map(tensor -> of(tensor).kind())
        .max(naturalOrder())
        .orElse(Kind.FINITE);
  }

  /** Counts the values of a tensor. */
  public static Census of(Tensor tensor) {
    Count count = new Count(tensor.dtype().smallestNormal());
    MemorySegment data = tensor.data();
    long size = tensor.spec().size(); // a product over the axes
    for (long i = 0; i < size; i++) {
      count.add(Elements.get(data, tensor.dtype(), i));
    }
    return count.census(size);
  }

  /** The worst kind that there is. */
  public Kind kind() {
    if (nans > 0) {
      return Kind.NAN;
    }
    return infinities > 0 ? Kind.INFINITE : Kind.FINITE;
  }

  /** The share that is not finite, from 0 to 1. */
  public double nonFiniteShare() {
    return share(infinities + nans);
  }

  /** The share that is 0, from 0 to 1. */
  public double zeroShare() {
    return share(zeros);
  }

  /** The share that is subnormal, from 0 to 1. */
  public double subnormalShare() {
    return share(subnormals);
  }

  /** {@code Inf: 12.5 % not finite, 3.0 % zeros, 0.0 % subnormal, the others from -1 to 4}. */
  public String text() {
    String worst =
        switch (kind()) {
          case FINITE -> "finite";
          case INFINITE -> "Inf";
          case NAN -> "NaN";
        };
    String range =
        Double.isNaN(min)
            ? "none finite"
            : String.format(Locale.ROOT, "the finite from %.4g to %.4g", min, max);
    return String.format(
        Locale.ROOT,
        "%s: %s not finite, %s zeros, %s subnormal, %s",
        worst,
        percent(infinities + nans),
        percent(zeros),
        percent(subnormals),
        range);
  }

  /** One of many is not 0.0 %. */
  private String percent(long count) {
    double percent = 100 * share(count);
    return count > 0 && percent < 0.05
        ? "under 0.1 %"
        : String.format(Locale.ROOT, "%.1f %%", percent);
  }

  private double share(long count) {
    return (double) count / elements;
  }

  private static final class Count {
    private final double smallestNormal;
    private long zeros;
    private long subnormals;
    private long infinities;
    private long nans;
    private double min = Double.NaN;
    private double max = Double.NaN;

    Count(double smallestNormal) {
      this.smallestNormal = smallestNormal;
    }

    void add(double value) {
      if (Double.isNaN(value)) {
        nans++;
      } else if (Double.isInfinite(value)) {
        infinities++;
      } else {
        finite(value);
      }
    }

    private void finite(double value) {
      if (value == 0) {
        zeros++;
      } else if (Math.abs(value) < smallestNormal) {
        subnormals++;
      }
      min = value >= min ? min : value;
      max = value <= max ? max : value;
    }

    Census census(long elements) {
      return new Census(elements, zeros, subnormals, infinities, nans, min, max);
    }
  }
}
