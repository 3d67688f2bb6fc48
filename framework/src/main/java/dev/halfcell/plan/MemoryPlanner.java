package dev.halfcell.plan;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.IntToLongFunction;
import java.util.function.ToLongFunction;

/**
 * Plans the memory of a program. A slot is needed from the task that fills it to the last that
 * reads it or a view of it, or to the end where the outcome names it; inputs, variables and
 * constants live elsewhere. Where a work says so, its output takes over the storage of an input
 * that nobody reads later. Where tasks overlap, what one of them needs is kept while any of them
 * runs.
 */
public final class MemoryPlanner {
  private final Program program;
  private final IntToLongFunction bytes;
  private final TaskSpans spans;
  private final Map<Integer, Integer> first = new HashMap<>();
  private final Map<Integer, List<Integer>> uses = new HashMap<>();
  private final Map<Integer, Integer> owners = new HashMap<>();

  private MemoryPlanner(Program program, IntToLongFunction bytes, TaskSpans spans) {
    this.program = program;
    this.bytes = bytes;
    this.spans = spans;
  }

  /**
   * The plan of a program's memory.
   *
   * @param bytes the storage of a slot, which need not be dense
   * @param workspace what a task needs for itself while it runs; 0 for none
   */
  public static MemoryPlan plan(
      Program program, IntToLongFunction bytes, ToLongFunction<Task> workspace) {
    return plan(program, bytes, workspace, TaskSpans.inTurn(program.tasks().size()));
  }

  /**
   * The same where tasks overlap.
   *
   * @param spans which of them
   */
  public static MemoryPlan plan(
      Program program, IntToLongFunction bytes, ToLongFunction<Task> workspace, TaskSpans spans) {
    MemoryPlanner planner = new MemoryPlanner(program, bytes, spans);
    planner.measure();
    planner.takeOver();
    return planner.place(workspace);
  }

  /** When each slot is first filled, and the places of all tasks that fill or read it. */
  private void measure() {
    int tasks = program.tasks().size();
    for (int place = 0; place < tasks; place++) {
      Task task = program.tasks().get(place);
      for (int slot : task.out()) {
        first.put(slot, place);
        uses.put(slot, new ArrayList<>(List.of(place)));
      }
      for (int slot : task.in()) {
        use(slot, place);
      }
    }
    program.kept().forEach(slot -> use(slot, tasks));
  }

  private void use(int slot, int place) {
    List<Integer> places = uses.get(program.storage(slot));
    if (places != null && places.getLast() != place) {
      places.add(place);
    }
  }

  /** Gives outputs the storage of inputs, in the order of the tasks, so that chains share one. */
  private void takeOver() {
    for (int place = 0; place < program.tasks().size(); place++) {
      Task task = program.tasks().get(place);
      if (task.work().inPlace().isPresent()) {
        int from = program.storage(task.in(task.work().inPlace().getAsInt()));
        int owner = owner(from);
        int to = task.out(0);
        if (free(owner, place) && bytes.applyAsLong(owner) == bytes.applyAsLong(to)) {
          owners.put(to, owner);
          uses.put(owner, uses.getOrDefault(to, List.of()));
        }
      }
    }
  }

  /**
   * Whether nobody reads a slot later, nor else while the task at {@code place} runs. Who fills it
   * may overlap that task, which reads nothing before it is filled.
   */
  private boolean free(int slot, int place) {
    List<Integer> places = uses.getOrDefault(slot, List.of());
    return !places.isEmpty()
        && places.getLast() == place
        && places.subList(1, places.size() - 1).stream().allMatch(use -> spans.last(use) < place);
  }

  private int owner(int slot) {
    return owners.getOrDefault(slot, slot);
  }

  private int last(int slot) {
    return spans.last(uses.getOrDefault(slot, List.of()).getLast());
  }

  private MemoryPlan place(ToLongFunction<Task> workspace) {
    List<Lifetime> pieces = new ArrayList<>();
    Map<Integer, Integer> pieceOfSlot = new HashMap<>();
    first.forEach(
        (slot, from) -> {
          if (owner(slot) == slot) {
            pieceOfSlot.put(slot, pieces.size());
            pieces.add(new Lifetime(spans.first(from), last(slot), bytes.applyAsLong(slot)));
          }
        });
    Map<Integer, Integer> pieceOfTask = new HashMap<>();
    for (int place = 0; place < program.tasks().size(); place++) {
      long own = workspace.applyAsLong(program.tasks().get(place));
      if (own > 0) {
        pieceOfTask.put(place, pieces.size());
        pieces.add(spans.ofItself(place, own));
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
