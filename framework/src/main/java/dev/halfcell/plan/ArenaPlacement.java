package dev.halfcell.plan;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.TreeMap;
import java.util.stream.IntStream;

/**
 * Where pieces of memory lie in one arena, so that no two that are needed at the same time share a
 * byte.
 *
 * <p>Greedy by size: the largest piece is placed first, each in the smallest gap that holds it
 * between those already placed that it meets, else behind them. Source: Pisarchyk and Lee,
 * "Efficient Memory Management for Deep Neural Net Inference", 2020, section 5.2.
 *
 * @param offsets the place of each piece, a multiple of {@link #ALIGNMENT}
 * @param size the size of the arena
 * @param bound what no arena can be smaller than: the most bytes needed at one time
 */
public record ArenaPlacement(List<Long> offsets, long size, long bound) {
  /** Where pieces may start: a cache line. */
  public static final long ALIGNMENT = 64;

  private record Placed(Lifetime lifetime, long start, long end) {}

  public ArenaPlacement {
    offsets = List.copyOf(offsets);
  }

  /** A place for each of these. */
  public static ArenaPlacement of(List<Lifetime> lifetimes) {
    Comparator<Integer> largestFirst =
        Comparator.comparingLong((Integer i) -> lifetimes.get(i).bytes())
            .reversed()
            .thenComparingInt(i -> lifetimes.get(i).from())
            .thenComparingInt(i -> i);
    List<Placed> placed = new ArrayList<>();
    Long[] offsets = new Long[lifetimes.size()];
    IntStream.range(0, lifetimes.size())
        .boxed()
        .sorted(largestFirst)
        .forEach(
            i -> {
              Placed place = place(lifetimes.get(i), placed);
              placed.add(place);
              offsets[i] = place.start();
            });
    long size = placed.stream().mapToLong(Placed::end).max().orElse(0);
    return new ArenaPlacement(List.of(offsets), size, bound(lifetimes));
  }

  private static Placed place(Lifetime lifetime, List<Placed> placed) {
    List<Placed> around =
        placed.stream()
            .filter(other -> other.lifetime().meets(lifetime))
            .sorted(Comparator.comparingLong(Placed::start))
            .toList();
    long bytes = aligned(lifetime.bytes());
    long best = -1;
    long smallest = Long.MAX_VALUE;
    long free = 0;
    for (Placed other : around) {
      long gap = other.start() - free;
      if (gap >= bytes && gap < smallest) {
        best = free;
        smallest = gap;
      }
      free = Math.max(free, other.end());
    }
    long start = best < 0 ? free : best;
    return new Placed(lifetime, start, start + bytes);
  }

  private static long bound(List<Lifetime> lifetimes) {
    TreeMap<Integer, Long> changes = new TreeMap<>();
    for (Lifetime lifetime : lifetimes) {
      changes.merge(lifetime.from(), aligned(lifetime.bytes()), Long::sum);
      changes.merge(lifetime.to() + 1, -aligned(lifetime.bytes()), Long::sum);
    }
    long live = 0;
    long most = 0;
    for (long change : changes.values()) {
      live += change;
      most = Math.max(most, live);
    }
    return most;
  }

  private static long aligned(long bytes) {
    return (bytes + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
  }
}
