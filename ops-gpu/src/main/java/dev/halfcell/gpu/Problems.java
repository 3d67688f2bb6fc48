package dev.halfcell.gpu;

import dev.halfcell.gpu.kernel.ProblemWord;
import dev.halfcell.op.loss.Targets;
import dev.halfcell.op.update.RowsRule;
import dev.halfcell.plan.Program;
import dev.halfcell.plan.Task;
import dev.halfcell.plan.Work;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/** What kernels of a plan noted of data that cannot be computed on. */
final class Problems {
  private static final byte ONES = -1;

  private final GpuQueue queue;
  private final Program program;
  private final Placement placement;

  Problems(GpuQueue queue, Program program, Placement placement) {
    this.queue = queue;
    this.program = program;
    this.placement = placement;
  }

  /** Forgets what was noted, and says yes where plans ask. */
  void reset() {
    queue.stream().fill(placement.problem(), ONES);
    queue.stream().fill(placement.yes(), (byte) 1);
  }

  /**
   * Waits for the step.
   *
   * @throws dev.halfcell.tensor.DataException where a label is no class, or a row is none
   */
  void check() {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment words = arena.allocate(ProblemWord.BYTES, Long.BYTES);
      queue.downloadNow(placement.problem(), words);
      long word = words.get(ValueLayout.JAVA_LONG, 0);
      if (word != ProblemWord.NONE) {
        reset();
        tell(word, words.get(ValueLayout.JAVA_LONG, Long.BYTES));
      }
    }
  }

  private void tell(long word, long found) {
    Task task = program.tasks().get(ProblemWord.task(word));
    int row = Math.toIntExact(ProblemWord.row(word));
    switch (task.work()) {
      case Work.Single(RowsRule rule) -> tellOfRows(rule, task, row, found);
      default -> {
        int classes = program.spec(task.in(0)).dim(1);
        Targets.requireClass(task.work().label(), task.at(), found, row, classes);
      }
    }
    throw new IllegalStateException(found + " was noted of row " + row + ", and is right");
  }

  /** A wrong count is noted of the row behind the last. */
  private void tellOfRows(RowsRule rule, Task task, int row, long found) {
    int rows = program.spec(task.in(rule.rowsInput())).dim(0);
    if (row == rows) {
      rule.count(task.at(), (double) found, rows);
    } else {
      rule.row(task.at(), (double) found, row, program.spec(task.in(0)).dim(0));
    }
  }
}
