package dev.halfcell.cpu;

import dev.halfcell.cpu.kernel.Kernel;
import dev.halfcell.cpu.kernel.SampleLoop;
import dev.halfcell.cpu.kernel.Stage;
import dev.halfcell.op.Op;
import dev.halfcell.op.attention.Attention;
import dev.halfcell.op.collective.CollectiveOp;
import dev.halfcell.op.convolution.Conv2d;
import dev.halfcell.op.convolution.Conv2dInputGradient;
import dev.halfcell.op.convolution.Convolution;
import dev.halfcell.op.elementwise.Add;
import dev.halfcell.op.elementwise.Elementwise;
import dev.halfcell.op.elementwise.Relu;
import dev.halfcell.op.elementwise.ReluGradient;
import dev.halfcell.op.host.Host;
import dev.halfcell.op.indexing.Indexing;
import dev.halfcell.op.linear.Linear;
import dev.halfcell.op.loss.Loss;
import dev.halfcell.op.normalization.BatchNorm;
import dev.halfcell.op.normalization.BatchNormGradient;
import dev.halfcell.op.normalization.Normalization;
import dev.halfcell.op.pooling.Pooling;
import dev.halfcell.op.precision.Precision;
import dev.halfcell.op.random.RandomOp;
import dev.halfcell.op.recurrent.Recurrent;
import dev.halfcell.op.reduction.Reduction;
import dev.halfcell.op.shape.Rearrangement;
import dev.halfcell.op.update.Update;
import dev.halfcell.plan.Program;
import dev.halfcell.plan.Task;
import dev.halfcell.plan.TaskSpans;
import dev.halfcell.plan.UpdateAll;
import dev.halfcell.plan.Work;
import dev.halfcell.tensor.DType;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * The stages of a program's kernels in the order in which a plan runs them: where the last of a
 * kernel goes through samples and so does the first of one that reads its result, both go through
 * them together, with others behind that. What stands between them runs before them if it needs
 * nothing of them, and else behind them. (A normalisation ends such a row, for it needs the sums of
 * all samples, and begins the next.)
 */
final class JoinedLoops {
  /** So far behind the first task the last of a row may be: what all of them need is kept. */
  private static final int FARTHEST = 8;

  private final Program program;
  private final List<List<Stage>> left = new ArrayList<>();
  private final List<Stage> stages = new ArrayList<>();
  private final Set<Integer> withNext = new HashSet<>();
  private TaskSpans spans;

  private JoinedLoops(Program program, List<Kernel> kernels) {
    this.program = program;
    this.spans = TaskSpans.inTurn(kernels.size());
    kernels.forEach(kernel -> left.add(kernel.stages()));
    for (int place = 0; place < left.size(); place++) {
      emit(place);
    }
  }

  /** Joins what can be joined; {@code kernels} are those of the tasks. */
  static JoinedLoops of(Program program, List<Kernel> kernels) {
    return new JoinedLoops(program, kernels);
  }

  /** All stages, in order. */
  List<Stage> stages() {
    return stages;
  }

  /** Which tasks overlap. */
  TaskSpans spans() {
    return spans;
  }

  /** Whether a task goes through samples together with a later one. */
  boolean withNext(int place) {
    return withNext.contains(place);
  }

  private void emit(int place) {
    List<Stage> own = take(place);
    boolean known = !bySample(program.tasks().get(place)).isEmpty();
    int begin = own.size();
    while (known
        && begin > 0
        && goesOn(own.get(begin - 1), loops(own.subList(begin, own.size())))) {
      begin--;
    }
    stages.addAll(own.subList(0, begin));
    Row row = new Row(place);
    row.add(own.subList(begin, own.size()));
    row.search();
    row.emit();
  }

  private List<Stage> take(int place) {
    return left.set(place, List.of());
  }

  private static List<SampleLoop> loops(List<Stage> some) {
    return some.stream()
        .filter(stage -> !stage.early())
        .flatMap(stage -> stage.loop().stream())
        .toList();
  }

  /** Whether a stage can stand in a row with others. */
  private static boolean goesOn(Stage stage, List<SampleLoop> others) {
    return stage.early()
        || stage.loop().isPresent()
            && (others.isEmpty() || stage.loop().get().alike(others.getFirst()));
  }

  /**
   * The positions of a task whose samples are all of one dtype: gradients that are wider than what
   * was kept for them would take much more memory in rows (ADR 0006).
   */
  private Set<Integer> bySample(Task task) {
    Set<Integer> positions = bySample(task.work());
    if (positions.isEmpty()) {
      return positions;
    }
    DType dtype = program.spec(task.out(0)).dtype();
    boolean one =
        positions.stream()
            .filter(position -> position < task.in().size())
            .allMatch(position -> program.spec(task.in(position)).dtype() == dtype);
    return one ? positions : Set.of();
  }

  /**
   * The positions of the inputs of which loops read what they compute a sample of; none where that
   * is not known to hold. What is left of a kernel behind its first loops may read all.
   */
  private static Set<Integer> bySample(Work work) {
    return switch (work) {
      case Work.Single(Op op) -> bySample(op);
      case Work.ConvolutionRelu _ -> Set.of(0);
      case Work.AddRelu _ -> Set.of(0, 1);
      case Work.AddReluGradient _ -> Set.of(0, 1, 2);
      case Work.BatchNormRelu _ -> Set.of(0, 3);
      case Work.BatchNormReluGradient _ -> Set.of(0, 1, 5);
      case Work.DenseRelu _,
          Work.ReluMaxPool _,
          Work.ReluMaxPoolGradient _,
          Work.ConvolutionParameterGradients _,
          Work.DenseParameterGradients _,
          Work.SoftmaxCrossEntropyWithGradient _,
          Work.Together _,
          Work.Relayout _,
          Work.Round _,
          UpdateAll _ ->
          Set.of();
    };
  }

  private static Set<Integer> bySample(Op op) {
    return switch (op) {
      case Conv2d _, Conv2dInputGradient _, BatchNorm _, Relu _ -> Set.of(0);
      case BatchNormGradient _, ReluGradient _, Add _ -> Set.of(0, 1);
      case Elementwise _,
          Linear _,
          Convolution _,
          Attention _,
          Pooling _,
          Normalization _,
          Recurrent _,
          Reduction _,
          Rearrangement _,
          Indexing _,
          Loss _,
          RandomOp _,
          CollectiveOp _,
          Precision _,
          Host _,
          Update _ ->
          Set.of();
    };
  }

  /** Whether the order of such works counts for more than what they read. */
  private static boolean hasItsPlace(Work work) {
    return !work.overwrites().isEmpty()
        || work instanceof Work.Single(Op op) && (op instanceof Host || op instanceof CollectiveOp);
  }

  /** Tasks whose loops go through samples together, and those between them. */
  private final class Row {
    private final int first;
    private int last;
    private final List<Integer> members = new ArrayList<>();
    private final List<Integer> before = new ArrayList<>();
    private final List<Integer> behind = new ArrayList<>();
    private final List<Stage> early = new ArrayList<>();
    private final List<Stage> joined = new ArrayList<>();
    private final Set<Integer> made = new HashSet<>();
    private final Set<Integer> late = new HashSet<>();

    Row(int first) {
      this.first = first;
      this.last = first;
      members.add(first);
      add(first, made);
    }

    private void add(int place, Set<Integer> outputs) {
      program.tasks().get(place).out().forEach(slot -> outputs.add(program.storage(slot)));
    }

    /** Stages of a task in this row. */
    void add(List<Stage> some) {
      some.stream().filter(Stage::early).forEach(early::add);
      some.stream().filter(stage -> !stage.early()).forEach(joined::add);
    }

    /** Looks for tasks that go on with what the last ones made. */
    void search() {
      boolean open = !joined.isEmpty();
      int end = Math.min(left.size(), first + FARTHEST + 1);
      for (int place = first + 1; open && place < end; place++) {
        Task task = program.tasks().get(place);
        if (hasItsPlace(task.work())) {
          return;
        }
        open = meet(place, task);
      }
    }

    /** Gives a task its place; says whether there may be more in the row behind it. */
    private boolean meet(int place, Task task) {
      if (reads(task, late)) {
        behind.add(place);
        add(place, late);
        return true;
      }
      if (!reads(task, made)) {
        before.add(place);
        return true;
      }
      int count = leading(place);
      if (count == 0 || !readsBySample(task)) {
        behind.add(place);
        add(place, late);
        return true;
      }
      List<Stage> own = take(place);
      add(own.subList(0, count));
      left.set(place, own.subList(count, own.size()));
      last = place;
      members.add(place);
      add(place, made);
      return count == own.size();
    }

    private boolean reads(Task task, Set<Integer> slots) {
      return task.in().stream().anyMatch(slot -> slots.contains(program.storage(slot)));
    }

    private boolean readsBySample(Task task) {
      Set<Integer> positions = bySample(task);
      for (int i = 0; i < task.in().size(); i++) {
        boolean reads = made.contains(program.storage(task.in(i)));
        if (reads && !(positions.contains(i) && alike(task, i))) {
          return false;
        }
      }
      return true;
    }

    /** An element of a smaller input of a sum may be read for all samples. */
    private boolean alike(Task task, int position) {
      boolean sum = task.work() instanceof Work.Single(Op op) && op instanceof Add;
      return !sum
          || program.spec(task.in(position)).shape().equals(program.spec(task.out(0)).shape());
    }

    /** How many of a task's first stages go on with this row; none if no loop is among them. */
    private int leading(int place) {
      List<Stage> own = left.get(place);
      int count = 0;
      while (count < own.size() && goesOn(own.get(count), loops(joined))) {
        count++;
      }
      return loops(own.subList(0, count)).isEmpty() ? 0 : count;
    }

    void emit() {
      before.stream().filter(place -> place < last).forEach(this::emitAll);
      stages.addAll(early);
      stages.addAll(joined.size() < 2 ? joined : List.of(SampleLoop.together(loops(joined))));
      behind.stream().filter(place -> place < last).forEach(this::emitAll);
      if (members.size() > 1) {
        spans = spans.together(members);
        withNext.addAll(members.subList(0, members.size() - 1));
      }
    }

    private void emitAll(int place) {
      stages.addAll(take(place));
    }
  }
}
