package dev.halfcell.cpu;

import dev.halfcell.backend.Commit;
import dev.halfcell.backend.Graph;
import dev.halfcell.backend.Outcome;
import dev.halfcell.backend.Plan;
import dev.halfcell.backend.PlanInputs;
import dev.halfcell.backend.PlanReport;
import dev.halfcell.backend.TaskWatch;
import dev.halfcell.backend.ThreadGuard;
import dev.halfcell.backend.Variables;
import dev.halfcell.cpu.kernel.Kernel;
import dev.halfcell.cpu.kernel.Stage;
import dev.halfcell.cpu.kernel.Team;
import dev.halfcell.cpu.onednn.Region;
import dev.halfcell.tensor.Problem;
import dev.halfcell.tensor.Tensor;
import dev.halfcell.tensor.TensorScope;
import dev.halfcell.tensor.UsageException;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Set;

/**
 * A step compiled for the CPU: all kernels made, all memory placed. A run binds the inputs, replays
 * the stages and commits.
 */
final class CpuPlan implements Plan {
  private final ThreadGuard guard = new ThreadGuard("Plan");
  private final Graph graph;
  private final Variables state;
  private final Team team;
  private final Compilation compiled;
  private final List<Stage> stages;
  private final List<Kernel> readInputs;
  private final Outcome<Tensor> outcome;
  private final List<Tensor> variables;
  private final Set<CpuPlan> open;
  private boolean closed;

  private CpuPlan(
      Graph graph, Variables state, Team team, Compilation compiled, Set<CpuPlan> open) {
    this.open = open;
    this.graph = graph;
    this.state = state;
    this.team = team;
    this.compiled = compiled;
    this.stages = compiled.stages();
    this.readInputs = compiled.kernelsOfInputs();
    this.outcome = compiled.outcome(state);
    this.variables = graph.reads().values().stream().map(state::read).toList();
  }

  /**
   * Compiles a step.
   *
   * @param compiled its kernels over placed memory
   * @param open where the plan stands until it is closed
   */
  static CpuPlan of(
      Graph graph, Variables state, Team team, Compilation compiled, Set<CpuPlan> open) {
    CpuPlan plan = new CpuPlan(graph, state, team, compiled, open);
    open.add(plan);
    return plan;
  }

  @Override
  public List<Tensor> run(List<Tensor> inputs) {
    return run(inputs, () -> team.run(stages));
  }

  /**
   * Task by task, so that each has a time of its own. What ends here has ended on all threads, as
   * {@link Team} says.
   */
  @Override
  public List<Tensor> run(List<Tensor> inputs, TaskWatch watch) {
    return run(
        inputs, () -> team.run(compiled.stagesInTurn(), new StageWatch(compiled.kernels(), watch)));
  }

  private List<Tensor> run(List<Tensor> inputs, Runnable work) {
    try (ThreadGuard.Pass _ = guard.enter()) {
      requireOpen();
      PlanInputs.require(graph, inputs);
      return replay(inputs, work);
    }
  }

  /** Nothing that native code reads is freed meanwhile. */
  private List<Tensor> replay(List<Tensor> inputs, Runnable work) {
    try (TensorScope.Hold _ = TensorScope.hold(inputs);
        TensorScope.Hold _ = TensorScope.hold(variables)) {
      variables.forEach(Tensor::write); // another backend may hold them newer in its own memory
      if (bind(inputs)) {
        readInputs.forEach(Kernel::bind);
      }
      compiled.copies().forEach(CpuPlan::copy);
      work.run();
      Commit.to(state, outcome);
      return compiled.results();
    }
  }

  /** Places the inputs, and tells whether one lies elsewhere than before. */
  private boolean bind(List<Tensor> inputs) {
    boolean moved = false;
    for (int i = 0; i < inputs.size(); i++) {
      Region region = compiled.inputs().get(i);
      MemorySegment data = inputs.get(i).data();
      moved |= region.data().address() != data.address();
      region.place(data);
    }
    return moved;
  }

  private static void copy(Compilation.Copy copy) {
    copy.to().data().copyFrom(copy.from().data().asSlice(0, copy.to().spec().bytes()));
  }

  private void requireOpen() {
    if (closed) {
      throw new UsageException(
          new Problem("Plan", "", "an open plan", "one that is closed", "Compile another one."));
    }
  }

  @Override
  public PlanReport report() {
    return compiled.report();
  }

  @Override
  public void close() {
    try (ThreadGuard.Pass _ = guard.enter()) {
      closed = true;
      compiled.close();
      open.remove(this);
    }
  }
}
