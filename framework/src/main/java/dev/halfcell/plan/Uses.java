package dev.halfcell.plan;

import dev.halfcell.op.Op;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Who fills and who reads each slot of a program: made once, then asked. Immutable once made. */
final class Uses {
  private final Map<Integer, Task> producers = new HashMap<>();
  private final Map<Integer, List<Task>> readers = new HashMap<>();
  private final Map<Task, Integer> places = new HashMap<>();
  private final Set<Integer> kept;
  private final Set<Integer> seenAsViews;

  Uses(Program program) {
    kept = program.kept();
    seenAsViews = new HashSet<>(program.views().keySet());
    seenAsViews.addAll(program.views().values());
    for (Task task : program.tasks()) {
      places.put(task, places.size());
      task.out().forEach(slot -> producers.put(slot, task));
      new HashSet<>(task.in())
          .forEach(slot -> readers.computeIfAbsent(slot, _ -> new ArrayList<>()).add(task));
    }
  }

  /** The task that fills a slot; none fills an input, a read, a constant or a view. */
  Optional<Task> producer(int slot) {
    return Optional.ofNullable(producers.get(slot));
  }

  /** The task that fills a slot, if it is an op of this kind by itself. */
  Optional<Task> producer(int slot, Class<? extends Op> kind) {
    return producer(slot).filter(task -> op(task, kind).isPresent());
  }

  /** The tasks that read a slot, in their order. */
  List<Task> readers(int slot) {
    return readers.getOrDefault(slot, List.of());
  }

  /** The tasks that read a slot and are an op of this kind by itself. */
  List<Task> readers(int slot, Class<? extends Op> kind) {
    return readers(slot).stream().filter(task -> op(task, kind).isPresent()).toList();
  }

  /** Whether nothing but {@code reader} sees the value of a slot. */
  boolean onlyFor(Task reader, int slot) {
    return readers(slot).equals(List.of(reader))
        && !kept.contains(slot)
        && !seenAsViews.contains(slot);
  }

  /** Whether nothing at all sees the value of a slot. */
  boolean unseen(int slot) {
    return readers(slot).isEmpty() && !kept.contains(slot) && !seenAsViews.contains(slot);
  }

  /** Whether the outcome names a slot. */
  boolean kept(int slot) {
    return kept.contains(slot);
  }

  /** The place of a task in the program. */
  int place(Task task) {
    return places.getOrDefault(task, -1);
  }

  /** Whether a slot's value is there when {@code task} runs. */
  boolean ready(int slot, Task task) {
    return producer(slot).map(producer -> place(producer) < place(task)).orElse(true);
  }

  /** The op that a task is by itself, if it is one of this kind. */
  static <O extends Op> Optional<O> op(Task task, Class<O> kind) {
    return task.work() instanceof Work.Single(Op op) && kind.isInstance(op)
        ? Optional.of(kind.cast(op))
        : Optional.empty();
  }
}
