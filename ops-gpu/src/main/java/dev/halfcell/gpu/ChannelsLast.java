package dev.halfcell.gpu;

import dev.halfcell.gpu.kernel.Code;
import dev.halfcell.gpu.kernel.Kernels;
import dev.halfcell.gpu.kernel.LastKernels;
import dev.halfcell.gpu.kernel.Recipe;
import dev.halfcell.op.CellPath;
import dev.halfcell.op.convolution.Conv2dWeightGradient;
import dev.halfcell.plan.Program;
import dev.halfcell.plan.Task;
import dev.halfcell.plan.Work;
import dev.halfcell.tensor.Shape;
import dev.halfcell.tensor.TensorSpec;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Keeps images with their channels last where convolutions of tensor cores begin to, and as long as
 * tasks follow that can compute so; elsewhere they lie row by row. An image that is wanted in both
 * orders is turned over once.
 */
final class ChannelsLast {
  private static final int RANK = 4;

  private final Code code;
  private final Program program;
  private final List<TensorSpec> more = new ArrayList<>();
  private final List<Task> tasks = new ArrayList<>();
  private final List<Recipe> recipes = new ArrayList<>();
  private final Set<Integer> last = new HashSet<>();
  private final Map<Integer, Integer> turned = new HashMap<>();

  private ChannelsLast(Code code, Program program) {
    this.code = code;
    this.program = program;
  }

  /**
   * What becomes of a program.
   *
   * @param recipes of its tasks
   */
  record Laid(Program program, List<Recipe> recipes) {}

  static Laid of(Code code, Program program) {
    ChannelsLast pass = new ChannelsLast(code, program);
    program.tasks().forEach(pass::add);
    return pass.laid();
  }

  /** As it is, all row by row: what plain plans have, whose bits are those of single ops. */
  static Laid rowMajor(Code code, Program program) {
    ChannelsLast pass = new ChannelsLast(code, program);
    return new Laid(program, program.tasks().stream().map(pass::rowMajor).toList());
  }

  private List<TensorSpec> specs(List<Integer> slots) {
    return slots.stream().map(program::spec).toList();
  }

  private void add(Task task) {
    Optional<Recipe> recipe = isLast(task) ? lastRecipe(task) : Optional.empty();
    List<Integer> in = task.in().stream().map(slot -> lying(slot, recipe.isPresent())).toList();
    tasks.add(new Task(task.work(), in, task.out(), task.at()));
    recipes.add(recipe.orElseGet(() -> rowMajor(task)));
    if (recipe.isPresent() && !isWeightGradient(task)) {
      task.out().stream().filter(this::isImage).forEach(last::add);
    }
  }

  private boolean isLast(Task task) {
    return task.in().stream().anyMatch(last::contains)
        || LastKernels.begins(code, task.work(), specs(task.in()), specs(task.out()), task.at());
  }

  private Optional<Recipe> lastRecipe(Task task) {
    return LastKernels.of(code, task.work(), specs(task.in()), specs(task.out()), task.at());
  }

  private Recipe rowMajor(Task task) {
    return Kernels.of(code, task.work(), specs(task.in()), specs(task.out()), task.at());
  }

  private static boolean isWeightGradient(Task task) {
    return task.work() instanceof Work.Single(var op) && op instanceof Conv2dWeightGradient;
  }

  private boolean isImage(int slot) {
    Shape shape = program.spec(slot).shape();
    return shape.rank() == RANK && shape.dim(1) > 1 && shape.tail().tail().size() > 1;
  }

  /** The slot in which an image lies in an order. */
  private int lying(int slot, boolean channelsLast) {
    if (!isImage(slot) || last.contains(slot) == channelsLast) {
      return slot;
    }
    Integer known = turned.get(slot);
    if (known != null) {
      return known;
    }
    int copy = program.slots().size() + more.size();
    more.add(program.spec(slot));
    Task relayout =
        new Task(new Work.Relayout(channelsLast), List.of(slot), List.of(copy), CellPath.ROOT);
    tasks.add(relayout);
    recipes.add(turning(relayout, slot));
    turned.put(slot, copy);
    return copy;
  }

  private Recipe turning(Task relayout, int slot) {
    List<TensorSpec> spec = List.of(program.spec(slot));
    return Kernels.of(code, relayout.work(), spec, spec, relayout.at());
  }

  private Laid laid() {
    Map<Integer, Integer> names = new HashMap<>();
    for (int slot : program.kept()) {
      int lying = lying(slot, false);
      if (lying != slot) {
        names.put(slot, lying);
      }
    }
    Program all = program.adding(more).with(tasks);
    return new Laid(all.with(all.outcome().map(slot -> names.getOrDefault(slot, slot))), recipes);
  }
}
