package dev.halfcell.gpu;

import dev.halfcell.gpu.kernel.ProblemWord;
import dev.halfcell.op.Op;
import dev.halfcell.plan.Program;
import dev.halfcell.plan.Task;
import dev.halfcell.plan.Work;
import dev.halfcell.tensor.TensorSpec;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.List;

/** What kernels of a plan noted of data that cannot be computed on. */
final class Problems {
  private static final byte ONES = -1;

  private final GpuQueue queue;
  private final Program program;
  private final Placement placement;
  private final Readback readback;

  Problems(GpuQueue queue, Program program, Placement placement, Readback readback) {
    this.queue = queue;
    this.program = program;
    this.placement = placement;
    this.readback = readback;
  }

  /** Forgets what was noted, and says yes where plans ask. */
  void reset() {
    queue.stream().fill(placement.problem(), ONES);
    queue.stream().fill(placement.yes(), (byte) 1);
  }

  /**
   * Waits for the step.
   *
   * @throws dev.halfcell.tensor.DataException where a kernel noted something
   */
  void check() {
    MemorySegment words = readback.read(placement.problem());
    long word = words.get(ValueLayout.JAVA_LONG, 0);
    if (word != ProblemWord.NONE) {
      reset();
      tell(word, words.get(ValueLayout.JAVA_LONG, Long.BYTES));
    }
  }

  private void tell(long word, long value) {
    Task task = program.tasks().get(ProblemWord.task(word));
    List<TensorSpec> in = task.in().stream().map(program::spec).toList();
    if (task.work() instanceof Work.Single(Op op)) {
      new RefusedData(in, task.at(), ProblemWord.place(word), value).tell(op);
    }
    throw new IllegalStateException(value + " was noted and can be computed on");
  }
}
