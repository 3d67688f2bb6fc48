package dev.halfcell.gpu;

import dev.halfcell.backend.Graph;
import dev.halfcell.backend.PlanOptions;
import dev.halfcell.backend.PlanReport;
import dev.halfcell.backend.PlannedTask;
import dev.halfcell.gpu.kernel.Code;
import dev.halfcell.gpu.kernel.Kernels;
import dev.halfcell.gpu.kernel.Recipe;
import dev.halfcell.plan.ActivationBytes;
import dev.halfcell.plan.ArenaPlacement;
import dev.halfcell.plan.Fusion;
import dev.halfcell.plan.MemoryPlan;
import dev.halfcell.plan.MemoryPlanner;
import dev.halfcell.plan.Program;
import dev.halfcell.plan.Schedule;
import dev.halfcell.plan.Task;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;

/**
 * What a graph becomes before it has memory: a program, how each task is computed, and where its
 * values will lie. Immutable.
 *
 * @param memory the arena of what the tasks fill, their workspaces included
 * @param extra the arena of the rest: inputs, constants, copies
 */
record Compilation(
    Program program, List<Recipe> recipes, MemoryPlan memory, Extras extra, long stateBytes) {
  private static final long ALIGNMENT = 256;

  /**
   * Compiles with the fusions for which there are kernels. That of the update keeps the bits, and
   * is part of plain plans too.
   */
  static Compilation of(Code code, Graph graph, PlanOptions options) {
    Program plain = Program.of(graph);
    Program fused = options.fuse() ? Fusion.fuseRelu(plain) : Fusion.simplify(plain);
    Program updating = Fusion.update(fused);
    Program gathered = Fusion.gather(Kernels.compute(updating) ? updating : fused);
    ChannelsLast.Laid laid =
        options.layouts() ? ChannelsLast.of(code, gathered) : ChannelsLast.rowMajor(code, gathered);
    Program program = laid.program();
    List<Recipe> recipes = laid.recipes();
    Map<Task, Long> workspaces = new HashMap<>();
    for (int i = 0; i < recipes.size(); i++) {
      workspaces.put(program.tasks().get(i), workspace(recipes.get(i)));
    }
    MemoryPlan memory =
        MemoryPlanner.plan(
            program, slot -> program.spec(slot).bytes(), task -> workspaces.getOrDefault(task, 0L));
    return new Compilation(program, recipes, memory, Extras.of(program), graph.stateBytes());
  }

  /** All pieces, and what may be lost before the first, which plans put on a lower boundary. */
  private static long workspace(Recipe recipe) {
    long pieces = recipe.workspaces().stream().mapToLong(Compilation::aligned).sum();
    return pieces == 0 ? 0 : pieces + ALIGNMENT - ArenaPlacement.ALIGNMENT;
  }

  static long aligned(long bytes) {
    return Math.ceilDiv(bytes, ALIGNMENT) * ALIGNMENT;
  }

  /** All memory of the device that a plan takes for itself. */
  long bytes() {
    return memory.size() + extra.bytes();
  }

  PlanReport report() {
    long constants = program.constants().values().stream().mapToLong(c -> c.spec().bytes()).sum();
    PlanReport.Memory taken =
        new PlanReport.Memory(
            ActivationBytes.of(program, slot -> program.spec(slot).bytes()),
            bytes(),
            OptionalLong.of(memory.bound() + extra.bytes()),
            constants,
            0,
            stateBytes);
    return new PlanReport(
        taken, Schedule.of(program, _ -> PlannedTask.Out.ROW_MAJOR, this::compiled));
  }

  private Schedule.Compiled compiled(int place) {
    Recipe recipe = recipes.get(place);
    return new Schedule.Compiled(recipe.code(), workspace(recipe), 0);
  }
}
