package dev.halfcell.cpu;

import dev.halfcell.backend.TaskWatch;
import dev.halfcell.cpu.kernel.Kernel;
import java.util.List;
import java.util.function.IntConsumer;

/** Makes ends of tasks out of the ends of stages, of one run. One thread. */
final class StageWatch implements IntConsumer {
  private final List<Kernel> kernels;
  private final TaskWatch watch;
  private int task;
  private int lastStage;

  /** Before the first stage of these kernels. */
  StageWatch(List<Kernel> kernels, TaskWatch watch) {
    this.kernels = kernels;
    this.watch = watch;
    this.lastStage = -1;
    watch.began();
    enter();
    endThrough(-1);
  }

  @Override
  public void accept(int stage) {
    endThrough(stage);
  }

  /** A task may have no stage; it ends with the one before it. */
  private void endThrough(int stage) {
    while (task < kernels.size() && lastStage <= stage) {
      watch.ended(task);
      task++;
      enter();
    }
  }

  private void enter() {
    if (task < kernels.size()) {
      lastStage += kernels.get(task).stages().size();
    }
  }
}
