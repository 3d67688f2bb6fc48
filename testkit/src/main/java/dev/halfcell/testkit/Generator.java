package dev.halfcell.testkit;

import dev.halfcell.tensor.Shape;
import java.util.SplittableRandom;
import java.util.stream.IntStream;

/**
 * Draws the shapes and values of tests. The same seed draws the same; {@code
 * -Dhalfcell.testkit.seed=N} sets another one for a run. One thread at a time.
 */
public final class Generator {
  private static final int[] SIZES = {1, 2, 3, 5, 7, 8, 13, 16, 17, 19};

  private final SplittableRandom random;

  /** A generator that starts at {@code seed}. */
  public Generator(long seed) {
    this.random = new SplittableRandom(seed);
  }

  /** The seed of this run. */
  public static long seed() {
    return Long.getLong("halfcell.testkit.seed", 2025);
  }

  /** A size of an axis: 1, primes, and others that are and are not multiples of 16. */
  public int size() {
    return SIZES[random.nextInt(SIZES.length)];
  }

  /** A shape of {@code rank} axes, each of them a {@link #size}. */
  public Shape shape(int rank) {
    return Shape.of(IntStream.range(0, rank).map(_ -> size()).toArray());
  }

  /** A whole number from {@code least} to {@code most}, both included. */
  public int integer(int least, int most) {
    return random.nextInt(least, most + 1);
  }

  /** Yes or no. */
  public boolean flag() {
    return random.nextBoolean();
  }

  /** A number from the normal distribution of mean 0 and deviation 1. */
  public double normal() {
    double radius = Math.sqrt(-2 * Math.log(1 - random.nextDouble()));
    return radius * Math.cos(2 * Math.PI * random.nextDouble());
  }

  /** The numbers below {@code count}, shuffled. */
  public int[] permutation(int count) {
    int[] numbers = IntStream.range(0, count).toArray();
    for (int i = count - 1; i > 0; i--) {
      int j = random.nextInt(i + 1);
      int moved = numbers[i];
      numbers[i] = numbers[j];
      numbers[j] = moved;
    }
    return numbers;
  }
}
