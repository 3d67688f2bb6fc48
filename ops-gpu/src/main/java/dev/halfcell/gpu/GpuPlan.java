package dev.halfcell.gpu;

import dev.halfcell.backend.Graph;
import dev.halfcell.backend.Plan;
import dev.halfcell.backend.PlanInputs;
import dev.halfcell.backend.PlanReport;
import dev.halfcell.backend.ThreadGuard;
import dev.halfcell.backend.Variable;
import dev.halfcell.backend.Variables;
import dev.halfcell.gpu.driver.DeviceMemory;
import dev.halfcell.gpu.kernel.Launch;
import dev.halfcell.plan.Program;
import dev.halfcell.tensor.Problem;
import dev.halfcell.tensor.Tensor;
import dev.halfcell.tensor.TensorScope;
import dev.halfcell.tensor.UsageException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;

/**
 * A step compiled for the GPU. From the second run on it is one launch ({@link Recording}). A run
 * waits for nothing but a free slot for its inputs: results and variables are copied to the host
 * when they are read, and data that cannot be computed on is told then, or by a later run; until it
 * is told, nothing is assigned.
 */
final class GpuPlan implements Plan {
  private final ThreadGuard guard = new ThreadGuard("Plan");
  private final Owned owned = new Owned();
  private final Graph graph;
  private final Compilation compiled;
  private final Shared shared;
  private final Map<Variable, Tensor> tensors = new LinkedHashMap<>();
  private final Map<Variable, ResidentTensor> variables = new LinkedHashMap<>();
  private final List<Launch> launches = new ArrayList<>();
  private final Placement placement;
  private final Staging staging;
  private final Readback readback;
  private final List<GivenResult> results = new ArrayList<>();
  private final Recording recording;
  private boolean closed;

  private GpuPlan(Graph graph, Variables state, Compilation compiled, Shared shared) {
    this.graph = graph;
    this.compiled = compiled;
    this.shared = shared;
    try {
      takeVariables(state);
      this.placement = new Placement(queue().device(), compiled, variables);
      owned.atEnd(placement::close);
      this.readback = new Readback(queue(), brought());
      owned.atEnd(this::endReadback);
      Problems problems = new Problems(queue(), program(), placement, readback);
      this.staging = new Staging(queue(), program(), placement, problems);
      owned.atEnd(staging::close);
      this.recording =
          new Recording(queue().stream(), shared.code()::lostTasks, shared.notices()::add);
      owned.atEnd(recording::close);
      launches.addAll(placement.launches());
      launches.addAll(placement.assignments(shared.code().kernels()));
      makeResults(problems);
      placeConstants();
      problems.reset();
    } catch (RuntimeException | Error e) {
      owned.close();
      throw e;
    }
  }

  static GpuPlan of(Graph graph, Variables state, Compilation compiled, Shared shared) {
    GpuPlan plan = shared.queue().alone(() -> new GpuPlan(graph, state, compiled, shared));
    shared.open().add(plan);
    return plan;
  }

  private GpuQueue queue() {
    return shared.queue();
  }

  private Program program() {
    return compiled.program();
  }

  private void takeVariables(Variables state) {
    Set<Variable> used = new LinkedHashSet<>(program().reads().values());
    used.addAll(program().outcome().assigns().keySet());
    for (Variable variable : used) {
      Tensor tensor = state.read(variable);
      variables.put(variable, shared.residents().take(tensor));
      owned.atEnd(() -> shared.residents().giveBack(tensor));
      tensors.put(variable, tensor);
    }
  }

  /** What hosts read after a step: results, variables that it changes, and whether it went well. */
  private Set<DeviceMemory> brought() {
    Set<DeviceMemory> values = new LinkedHashSet<>();
    values.add(placement.problem());
    program().outcome().results().forEach(slot -> values.add(placement.kept(slot)));
    program().changed().forEach(changed -> values.add(variable(changed).memory()));
    return values;
  }

  private void endReadback() {
    queue().stream().synchronize();
    variables.values().forEach(each -> each.leave(readback));
    readback.close();
  }

  private void makeResults(Problems problems) {
    TensorScope scope = TensorScope.open();
    owned.atEnd(scope::close);
    for (int slot : program().outcome().results()) {
      Tensor host = scope.allocate(program().spec(slot));
      results.add(new GivenResult(queue(), problems, placement.kept(slot), host, readback));
    }
  }

  private void placeConstants() {
    program()
        .constants()
        .forEach((slot, value) -> queue().uploadNow(value.data(), placement.memory(slot)));
  }

  @Override
  public List<Tensor> run(List<Tensor> inputs) {
    try (ThreadGuard.Pass _ = guard.enter();
        TensorScope.Hold _ = TensorScope.hold(inputs);
        TensorScope.Hold _ = TensorScope.hold(tensors.values())) {
      requireOpen();
      PlanInputs.require(graph, inputs);
      queue().alone(() -> queueStep(inputs));
      return results.stream().map(GivenResult::tensor).toList();
    }
  }

  @Override
  public void prepare(Supplier<Optional<List<Tensor>>> next) {
    try (ThreadGuard.Pass _ = guard.enter()) {
      requireOpen();
      next.get().filter(inputs -> PlanInputs.fit(graph, inputs)).ifPresent(this::bring);
    }
  }

  private void bring(List<Tensor> inputs) {
    try (TensorScope.Hold _ = TensorScope.hold(inputs)) {
      queue().alone(() -> staging.prepare(inputs));
    }
  }

  private void queueStep(List<Tensor> inputs) {
    variables.values().forEach(ResidentTensor::upload);
    staging.upload(inputs);
    recording.step(this::queueAll);
    readback.queued();
    staging.sent();
    program().changed().forEach(v -> variable(v).changed(readback));
    results.forEach(GivenResult::changed);
  }

  private ResidentTensor variable(Variable variable) {
    ResidentTensor found = variables.get(variable);
    if (found == null) {
      throw new IllegalStateException(variable + " is not on the device");
    }
    return found;
  }

  private void queueAll() {
    placement.copies().forEach((from, to) -> queue().stream().copy(from, to));
    launches.forEach(launch -> launch.on(queue().stream()));
    readback.queueCopies();
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
      if (!closed) {
        closed = true;
        shared.open().remove(this);
        queue().alone(owned::close);
      }
    }
  }
}
