package dev.halfcell.plan;

import dev.halfcell.op.CellPath;
import dev.halfcell.op.Op;
import dev.halfcell.op.normalization.RunningAverage;
import dev.halfcell.op.precision.Cast;
import dev.halfcell.tensor.DType;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The casts of parameters to a half become one task, which runs first, and the running averages
 * another, which runs last, but for those of what is updated in place before: where a task costs a
 * launch, that is most of what they cost. Changes no bit.
 */
final class GatherAlike implements Rewrite {
  @Override
  public Program apply(Program program) {
    Uses uses = new Uses(program);
    Map<Op, List<Task>> casts = new LinkedHashMap<>();
    List<Task> averages = new ArrayList<>();
    for (Task task : program.tasks()) {
      Uses.op(task, Cast.class)
          .filter(_ -> program.reads().containsKey(task.in(0)) && halves(program, task))
          .ifPresent(cast -> casts.computeIfAbsent(cast, _ -> new ArrayList<>()).add(task));
      Uses.op(task, RunningAverage.class)
          .filter(_ -> uses.readers(task.out(0)).isEmpty() && mayWait(program, uses, task))
          .ifPresent(_ -> averages.add(task));
    }
    return gathered(program, casts.values(), averages);
  }

  private static boolean halves(Program program, Task task) {
    return program.spec(task.in(0)).dtype() == DType.FP32
        && program.spec(task.out(0)).dtype().half();
  }

  /**
   * Whether what a task reads is still there at the end: an update in place leaves other values.
   */
  private static boolean mayWait(Program program, Uses uses, Task task) {
    Set<Integer> read = new HashSet<>(task.in());
    task.in().forEach(slot -> read.add(program.views().getOrDefault(slot, slot)));
    return program.tasks().stream()
        .filter(later -> uses.place(later) > uses.place(task))
        .flatMap(later -> later.work().overwrites().stream().map(later::in))
        .noneMatch(read::contains);
  }

  private static Program gathered(
      Program program, Collection<List<Task>> casts, List<Task> averages) {
    List<List<Task>> first = casts.stream().filter(tasks -> tasks.size() > 1).toList();
    List<List<Task>> last = averages.size() > 1 ? List.of(averages) : List.of();
    Set<Task> gone = new HashSet<>();
    first.forEach(gone::addAll);
    last.forEach(gone::addAll);
    List<Task> tasks = new ArrayList<>();
    first.forEach(each -> tasks.add(together(each)));
    program.tasks().stream().filter(task -> !gone.contains(task)).forEach(tasks::add);
    last.forEach(each -> tasks.add(together(each)));
    return gone.isEmpty() ? program : program.with(tasks);
  }

  private static Task together(List<Task> tasks) {
    List<Op> ops = new ArrayList<>();
    List<Integer> in = new ArrayList<>();
    List<Integer> out = new ArrayList<>();
    for (Task task : tasks) {
      Uses.op(task, Op.class).ifPresent(ops::add);
      in.addAll(task.in());
      out.addAll(task.out());
    }
    return new Task(new Work.Together(ops), in, out, CellPath.ROOT);
  }
}
