package dev.halfcell.plan;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiFunction;
import java.util.function.IntToLongFunction;
import java.util.function.ToLongFunction;

/**
 * Plans the memory of a program. A slot is needed from the task that fills it to the last that
 * reads it or a view of it, or to the end where the outcome names it; inputs, variables and
 * constants live elsewhere. Where a work says so, its output takes over the storage of an input
 * that nobody reads later.
 */
public final class MemoryPlanner {
  private final Program program;
  private final IntToLongFunction bytes;
  private final Map<Integer, Integer> first = new HashMap<>();
  private final Map<Integer, Integer> last = new HashMap<>();
  private final Map<Integer, Integer> owners = new HashMap<>();

  private MemoryPlanner(Program program, IntToLongFunction bytes) {
    this.program = program;
    this.bytes = bytes;
  }

  /**
   * The plan of a program's memory.
   *
   * @param bytes the storage of a slot, which need not be dense
   * @param workspace what a task needs for itself while it runs; 0 for none
   */
  public static MemoryPlan plan(
      Program program, IntToLongFunction bytes, ToLongFunction<Task> workspace) {
    MemoryPlanner planner = new MemoryPlanner(program, bytes);
    planner.measure();
    planner.takeOver();
    return planner.place(workspace);
  }

  /** When each slot is first filled and last read. */
  private void measure() {
    for (int place = 0; place < program.tasks().size(); place++) {
      Task task = program.tasks().get(place);
      for (int slot : task.out()) {
        first.put(slot, place);
        last.put(slot, place);
      }
      for (int slot : task.in()) {
        last.computeIfPresent(program.storage(slot), reader(place));
      }
    }
    program
        .kept()
        .forEach(
            slot -> last.computeIfPresent(program.storage(slot), reader(program.tasks().size())));
  }

  private static BiFunction<Integer, Integer, Integer> reader(int place) {
    return (_, _) -> place;
  }

  /** Gives outputs the storage of inputs, in the order of the tasks, so that chains share one. */
  private void takeOver() {
    for (int place = 0; place < program.tasks().size(); place++) {
      Task task = program.tasks().get(place);
      if (task.work().inPlace().isPresent()) {
        int from = program.storage(task.in(task.work().inPlace().getAsInt()));
        int owner = owner(from);
        int to = task.out(0);
        boolean free = last(owner) == place;
        if (free && bytes.applyAsLong(owner) == bytes.applyAsLong(to)) {
          owners.put(to, owner);
          last.put(owner, last(to));
        }
      }
    }
  }

  private int owner(int slot) {
    return owners.getOrDefault(slot, slot);
  }

  private int last(int slot) {
    return last.getOrDefault(slot, -1);
  }

  private MemoryPlan place(ToLongFunction<Task> workspace) {
    List<Lifetime> pieces = new ArrayList<>();
    Map<Integer, Integer> pieceOfSlot = new HashMap<>();
    first.forEach(
        (slot, from) -> {
          if (owner(slot) == slot) {
            pieceOfSlot.put(slot, pieces.size());
            pieces.add(new Lifetime(from, last(slot), bytes.applyAsLong(slot)));
          }
        });
    Map<Integer, Integer> pieceOfTask = new HashMap<>();
    for (int place = 0; place < program.tasks().size(); place++) {
      long own = workspace.applyAsLong(program.tasks().get(place));
      if (own > 0) {
        pieceOfTask.put(place, pieces.size());
        pieces.add(new Lifetime(place, place, own));
      }
    }
    ArenaPlacement placement = ArenaPlacement.of(pieces);
    Map<Integer, Long> offsets = new HashMap<>();
    first
        .keySet()
        .forEach(
            slot ->
                offsets.put(
                    slot, placement.offsets().get(pieceOfSlot.getOrDefault(owner(slot), -1))));
    Map<Integer, Long> workspaces = new HashMap<>();
    pieceOfTask.forEach((place, piece) -> workspaces.put(place, placement.offsets().get(piece)));
    return new MemoryPlan(offsets, workspaces, placement.size(), placement.bound());
  }
}
