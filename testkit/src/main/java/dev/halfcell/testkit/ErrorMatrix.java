package dev.halfcell.testkit;

import dev.halfcell.tensor.DType;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;

/**
 * The worst error seen of each op in each dtype, of results and of gradients. Threads may share it.
 */
final class ErrorMatrix {
  /** What was compared. */
  enum Kind {
    RESULTS,
    GRADIENTS
  }

  private record Key(String op, DType dtype, Kind kind) implements Comparable<Key> {
    @Override
    public int compareTo(Key other) {
      int byOp = op.compareTo(other.op);
      int byDtype = byOp == 0 ? dtype.compareTo(other.dtype) : byOp;
      return byDtype == 0 ? kind.compareTo(other.kind) : byDtype;
    }
  }

  /**
   * What was seen of one op in one dtype.
   *
   * @param cases how many inputs it was tried on
   * @param exact on how many of them no error at all was allowed
   * @param absolute the largest difference
   * @param ofAllowed the largest difference as a share of what was allowed
   * @param nonzero whether a tenth of the elements of some output was not zero
   */
  private record Seen(int cases, int exact, double absolute, double ofAllowed, boolean nonzero) {
    static Seen of(boolean exact, Distance distance) {
      return new Seen(
          1, exact ? 1 : 0, distance.absolute(), distance.ofAllowed(), distance.trusted());
    }

    Seen and(Seen other) {
      return new Seen(
          cases + other.cases,
          exact + other.exact,
          Math.max(absolute, other.absolute),
          Math.max(ofAllowed, other.ofAllowed),
          nonzero || other.nonzero);
    }
  }

  private final Map<Key, Seen> seen = new TreeMap<>();

  /** Adds a comparison of outputs of {@code each}, which was tried in {@code dtype}. */
  synchronized void add(OpCase each, DType dtype, Kind kind, Distance distance) {
    Key key = new Key(each.op().label(), dtype, kind);
    seen.merge(key, Seen.of(each.exact(), distance), Seen::and);
  }

  /** Whether results of this op were compared in this dtype. */
  synchronized boolean covers(String op, DType dtype) {
    return seen.containsKey(new Key(op, dtype, Kind.RESULTS));
  }

  /** Whether the op never gave anything but zeros, which any broken kernel gives. */
  synchronized boolean onlyZeros(String op, DType dtype) {
    Seen results = seen.get(new Key(op, dtype, Kind.RESULTS));
    return results != null && !results.nonzero();
  }

  /** The matrix as text: a line for each op, dtype and kind. */
  synchronized String text(String title) {
    String row = "%-28s %-5s %-10s %6s %6s %12s %11s%n";
    StringBuilder text = new StringBuilder(title + System.lineSeparator());
    text.append(row.formatted("op", "dtype", "of", "cases", "exact", "worst error", "of allowed"));
    seen.forEach((key, worst) -> text.append(line(row, key, worst)));
    return text.toString();
  }

  private static String line(String row, Key key, Seen worst) {
    return row.formatted(
        key.op(),
        key.dtype().label(),
        key.kind() == Kind.RESULTS ? "results" : "gradients",
        worst.cases(),
        worst.exact(),
        "%.3g".formatted(worst.absolute()),
        "%.0f %%".formatted(100 * worst.ofAllowed()));
  }

  /** Writes the matrix. */
  void write(Path folder, String name, String title) {
    try {
      Files.createDirectories(folder);
      Files.writeString(folder.resolve(name), text(title));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
