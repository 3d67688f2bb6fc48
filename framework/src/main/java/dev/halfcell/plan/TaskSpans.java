package dev.halfcell.plan;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;

/**
 * Which tasks of a program overlap when it runs, because a backend goes through neighbours together
 * or changes their order: for each task the first and the last that it overlaps, by their places.
 * Both grow from task to task. Memory that a task reads or fills is in use all that time; what it
 * needs for itself, only where it does not run as a whole.
 *
 * @param first the first task that each overlaps
 * @param last the last one
 * @param interleaved the tasks that do not run as a whole
 */
public record TaskSpans(List<Integer> first, List<Integer> last, Set<Integer> interleaved) {
  public TaskSpans {
    first = List.copyOf(first);
    last = List.copyOf(last);
    interleaved = Set.copyOf(interleaved);
  }

  /** One task after the other, {@code tasks} of them. */
  public static TaskSpans inTurn(int tasks) {
    List<Integer> places = IntStream.range(0, tasks).boxed().toList();
    return new TaskSpans(places, places, Set.of());
  }

  /**
   * The same where, besides, some tasks are interleaved, in the order of their places, and those
   * between the first and the last of them run before or behind all of these.
   */
  public TaskSpans together(List<Integer> tasks) {
    int from = tasks.getFirst();
    int to = tasks.getLast();
    Set<Integer> all = new HashSet<>(interleaved);
    all.addAll(tasks);
    List<Integer> begin = new ArrayList<>(first);
    List<Integer> end = new ArrayList<>(last);
    for (int place = from; place <= to; place++) {
      begin.set(place, Math.min(begin.get(place), from));
      end.set(place, Math.max(end.get(place), to));
    }
    return new TaskSpans(begin, end, all);
  }

  /** The first task that the one at {@code place} overlaps. */
  public int first(int place) {
    return first.get(place);
  }

  /** The last task that the one at {@code place} overlaps; what follows all tasks is its own. */
  public int last(int place) {
    return place < last.size() ? last.get(place) : place;
  }

  /** How long a task at {@code place} needs so many bytes for itself. */
  Lifetime ofItself(int place, long bytes) {
    return interleaved.contains(place)
        ? new Lifetime(first(place), last(place), bytes)
        : new Lifetime(place, place, bytes);
  }
}
