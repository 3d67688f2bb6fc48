package dev.halfcell.plan;

import dev.halfcell.op.Op;
import dev.halfcell.op.linear.Dense;
import dev.halfcell.op.linear.MatMul;
import dev.halfcell.op.precision.Cast;
import dev.halfcell.op.precision.CastOverflow;
import dev.halfcell.tensor.DType;
import dev.halfcell.tensor.TensorSpec;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * On a machine that cannot compute products in a half dtype, a weight that is cast to one stays in
 * FP32 when it has been rounded: each product would widen it again. Changes no bit. It takes twice
 * the room from there to its last product, and a product no room of its own to widen it in.
 *
 * <p>That is so of an FP32 variable that is read as the right factor of products alone. Such a work
 * means what it means on inputs that were all widened, its results rounded to its dtype. It comes
 * before views are made.
 *
 * @param stored half dtypes that products store alone
 */
public record WidenFactors(Set<DType> stored) implements Rewrite {
  private static final int RIGHT = 1;

  public WidenFactors {
    stored = Set.copyOf(stored);
  }

  @Override
  public Program apply(Program program) {
    Uses uses = new Uses(program);
    Edits edits = new Edits();
    Map<Integer, TensorSpec> wide = new HashMap<>();
    for (Task task : program.tasks()) {
      DType half = roundedTo(program, task);
      if (half != DType.FP32 && factor(uses, task.out(0))) {
        edits.replace(task, new Task(new Work.Round(half), task.in(), task.out(), task.at()));
        wide.put(task.out(0), program.spec(task.out(0)).as(DType.FP32));
      }
    }
    return edits.of(program).respecified(wide);
  }

  /** The half that an FP32 variable is rounded to here; FP32 where none is. */
  private DType roundedTo(Program program, Task task) {
    return Uses.op(task, Cast.class)
        .filter(cast -> stored.contains(cast.to()) && cast.overflow() == CastOverflow.INF)
        .filter(_ -> program.reads().containsKey(task.in(0)))
        .filter(_ -> program.spec(task.in(0)).dtype() == DType.FP32)
        .map(Cast::to)
        .orElse(DType.FP32);
  }

  private static boolean factor(Uses uses, int slot) {
    List<Task> readers = uses.readers(slot);
    return !uses.kept(slot)
        && !readers.isEmpty()
        && readers.stream().allMatch(reader -> multipliesBy(reader, slot));
  }

  private static boolean multipliesBy(Task reader, int slot) {
    boolean product =
        reader.work() instanceof Work.DenseRelu
            || reader.work() instanceof Work.Single(Op op)
                && (op instanceof Dense || op instanceof MatMul);
    return product
        && reader.in(RIGHT) == slot
        && reader.in().stream().filter(in -> in == slot).count() == 1;
  }
}
