package dev.halfcell.plan;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Leaves out tasks that nothing of the outcome depends on and that overwrite nothing. */
final class DropDead implements Rewrite {
  @Override
  public Program apply(Program program) {
    Set<Integer> wanted = new HashSet<>();
    program.kept().forEach(slot -> wanted.add(program.storage(slot)));
    Deque<Task> live = new ArrayDeque<>();
    for (Task task : program.tasks().reversed()) {
      boolean acts = !task.work().overwrites().isEmpty();
      if (acts || task.out().stream().anyMatch(wanted::contains)) {
        task.in().forEach(slot -> wanted.add(program.storage(slot)));
        live.addFirst(task);
      }
    }
    return live.size() == program.tasks().size() ? program : program.with(List.copyOf(live));
  }
}
