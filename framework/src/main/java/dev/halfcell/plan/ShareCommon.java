package dev.halfcell.plan;

import dev.halfcell.op.Op;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Computes an op once where it stands twice on the same inputs, such as the cast of a parameter
 * that is used in the forward and the backward pass. Ops are pure and compare by all that decides
 * their result, for random ops their key too. The result belongs to the cell that was first.
 */
final class ShareCommon implements Rewrite {
  private record Call(Op op, List<Integer> in) {}

  @Override
  public Program apply(Program program) {
    Map<Call, Task> first = new HashMap<>();
    Map<Integer, Integer> names = new HashMap<>();
    Edits edits = new Edits();
    for (Task task : program.tasks()) {
      if (!(task.work() instanceof Work.Single(Op op))) {
        continue;
      }
      List<Integer> in = task.in().stream().map(slot -> names.getOrDefault(slot, slot)).toList();
      Task earlier = first.putIfAbsent(new Call(op, in), task);
      if (earlier != null) {
        edits.drop(task);
        for (int i = 0; i < task.out().size(); i++) {
          names.put(task.out(i), earlier.out(i));
        }
      }
    }
    return edits.of(program).renamed(names);
  }
}
