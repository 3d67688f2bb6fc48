package dev.halfcell.plan;

import dev.halfcell.op.precision.Cast;
import dev.halfcell.tensor.TensorSpec;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * What was widened in the forward pass is widened once more where the backward pass first reads it,
 * so that what is kept in between is the half one. Changes no bit.
 */
final class WidenAgain implements Rewrite {
  @Override
  public Program apply(Program program) {
    int loss = ActivationBytes.loss(program);
    List<Task> before = program.tasks().subList(0, loss + 1);
    Map<Integer, Task> widenings = new HashMap<>();
    before.stream()
        .filter(task -> widens(program, task))
        .forEach(task -> widenings.put(task.out(0), task));
    List<TensorSpec> more = new ArrayList<>();
    Map<Integer, Integer> names = new HashMap<>();
    List<Task> tasks = new ArrayList<>(before);
    for (Task task : program.tasks().subList(loss + 1, program.tasks().size())) {
      for (int slot : task.in()) {
        Task widening = widenings.get(slot);
        if (widening != null && !names.containsKey(slot)) {
          int fresh = program.slots().size() + more.size();
          names.put(slot, fresh);
          more.add(program.spec(slot));
          tasks.add(again(widening, fresh));
        }
      }
      tasks.add(reading(task, names));
    }
    return names.isEmpty() ? program : program.adding(more).with(tasks);
  }

  private static boolean widens(Program program, Task task) {
    return Uses.op(task, Cast.class).isPresent()
        && program.spec(task.in(0)).bytes() < program.spec(task.out(0)).bytes();
  }

  private static Task again(Task widening, int to) {
    return new Task(widening.work(), widening.in(), List.of(to), widening.at());
  }

  private static Task reading(Task task, Map<Integer, Integer> names) {
    List<Integer> in = task.in().stream().map(slot -> names.getOrDefault(slot, slot)).toList();
    return new Task(task.work(), in, task.out(), task.at());
  }
}
