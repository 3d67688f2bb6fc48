package dev.halfcell.cpu;

import dev.halfcell.backend.Graph;
import dev.halfcell.backend.Outcome;
import dev.halfcell.backend.PlanOptions;
import dev.halfcell.backend.PlanReport;
import dev.halfcell.backend.Variable;
import dev.halfcell.backend.Variables;
import dev.halfcell.cpu.kernel.Kernel;
import dev.halfcell.cpu.kernel.Kernels;
import dev.halfcell.cpu.kernel.Layout;
import dev.halfcell.cpu.kernel.Machine;
import dev.halfcell.cpu.kernel.Operand;
import dev.halfcell.cpu.onednn.Region;
import dev.halfcell.cpu.plan.ActivationBytes;
import dev.halfcell.cpu.plan.Fusion;
import dev.halfcell.cpu.plan.MemoryPlan;
import dev.halfcell.cpu.plan.MemoryPlanner;
import dev.halfcell.cpu.plan.Program;
import dev.halfcell.cpu.plan.Task;
import dev.halfcell.tensor.Tensor;
import dev.halfcell.tensor.TensorScope;
import dev.halfcell.tensor.TensorSpec;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Turns a graph into kernels over placed memory, and owns both. */
final class Compilation implements AutoCloseable {
  private static final long ALIGNMENT = 64;

  private final Program program;
  private final Variables state;
  private final Set<Integer> channelsLast;
  private final TensorScope scope = TensorScope.open();
  private final Map<Integer, Operand> operands = new HashMap<>();
  private final List<Kernel> kernels = new ArrayList<>();
  private final Map<Integer, Tensor> given = new HashMap<>();
  private final List<Copy> copies = new ArrayList<>();
  private final long stateBytes;
  private long ownBytes;

  /** A result that is an input or a variable, copied before the step changes it. */
  record Copy(Region from, Tensor to) {}

  private Compilation(
      Program program, Variables state, Set<Integer> channelsLast, long stateBytes) {
    this.program = program;
    this.stateBytes = stateBytes;
    this.state = state;
    this.channelsLast = channelsLast;
  }

  static Compilation of(Machine machine, Graph graph, Variables state, PlanOptions options) {
    Program plain = Program.of(graph);
    Program program = options.fuse() ? Fusion.shareStorage(Fusion.fuse(plain)) : plain;
    Set<Integer> channelsLast = options.layouts() ? Layouts.channelsLast(program) : Set.of();
    Compilation compilation = new Compilation(program, state, channelsLast, graph.stateBytes());
    try {
      compilation.makeOperands();
      compilation.makeKernels(machine);
      compilation.place();
      return compilation;
    } catch (RuntimeException e) {
      compilation.close();
      throw e;
    }
  }

  private void makeOperands() {
    for (int slot = 0; slot < program.slots().size(); slot++) {
      if (program.storage(slot) == slot) {
        TensorSpec spec = program.spec(slot);
        Layout layout = Layouts.of(slot, channelsLast);
        operands.put(slot, new Operand(spec, layout, new Region(spec.bytes())));
      }
    }
    program
        .views()
        .forEach(
            (view, storage) ->
                operands.put(
                    view,
                    new Operand(program.spec(view), Layout.ROW_MAJOR, operand(storage).region())));
    program
        .reads()
        .forEach((slot, variable) -> operand(slot).region().place(state.read(variable).data()));
    program
        .constants()
        .forEach(
            (slot, value) -> {
              ownBytes += value.spec().bytes();
              operand(slot).region().place(scope.copy(value).data());
            });
  }

  private Operand operand(int slot) {
    Operand operand = operands.get(slot);
    if (operand == null) {
      throw new IllegalStateException("slot " + slot + " is not in the program");
    }
    return operand;
  }

  private List<Operand> operands(List<Integer> slots) {
    return slots.stream().map(this::operand).toList();
  }

  private void makeKernels(Machine machine) {
    for (Task task : program.tasks()) {
      kernels.add(
          Kernels.of(machine, task.work(), operands(task.in()), operands(task.out()), task.at()));
    }
  }

  private void place() {
    Map<Task, Long> workspaces = new HashMap<>();
    for (int i = 0; i < kernels.size(); i++) {
      long bytes = kernels.get(i).workspaces().stream().mapToLong(r -> aligned(r.bytes())).sum();
      workspaces.put(program.tasks().get(i), bytes);
    }
    MemoryPlan plan =
        MemoryPlanner.plan(
            program, slot -> program.spec(slot).bytes(), task -> workspaces.getOrDefault(task, 0L));
    MemorySegment memory = scope.allocate(plan.size());
    ownBytes += plan.size();
    plan.offsets()
        .forEach(
            (slot, offset) -> {
              Region region = operand(slot).region();
              region.place(memory.asSlice(offset, region.bytes()));
            });
    plan.workspaces()
        .forEach((task, offset) -> place(kernels.get(task).workspaces(), memory, offset));
    keepGivenResults();
    kernels.forEach(Kernel::bind);
  }

  private static void place(List<Region> regions, MemorySegment memory, long start) {
    long offset = start;
    for (Region region : regions) {
      region.place(memory.asSlice(offset, region.bytes()));
      offset += aligned(region.bytes());
    }
  }

  private static long aligned(long bytes) {
    return Math.ceilDiv(bytes, ALIGNMENT) * ALIGNMENT;
  }

  private void keepGivenResults() {
    for (int slot : program.outcome().results()) {
      if (program.given(program.storage(slot)) && !given.containsKey(slot)) {
        Tensor copy = scope.allocate(program.spec(slot));
        ownBytes += copy.spec().bytes();
        given.put(slot, copy);
        copies.add(new Copy(operand(slot).region(), copy));
      }
    }
  }

  List<Kernel> kernels() {
    return kernels;
  }

  /** The regions of the inputs, in order. */
  List<Region> inputs() {
    return program.inputs().stream().map(slot -> operand(slot).region()).toList();
  }

  /** The kernels to be bound again when an input lies elsewhere. */
  List<Kernel> kernelsOfInputs() {
    List<Kernel> readers = new ArrayList<>();
    for (int i = 0; i < kernels.size(); i++) {
      if (program.tasks().get(i).in().stream()
          .anyMatch(slot -> program.inputs().contains(program.storage(slot)))) {
        readers.add(kernels.get(i));
      }
    }
    return readers;
  }

  List<Copy> copies() {
    return copies;
  }

  List<Tensor> results() {
    return program.outcome().results().stream().map(this::result).toList();
  }

  private Tensor result(int slot) {
    Tensor kept = given.get(slot);
    return kept != null ? kept : tensor(slot);
  }

  private Tensor tensor(int slot) {
    Operand operand = operand(slot);
    return Tensor.over(operand.spec(), operand.region().data());
  }

  /** What the run yields, to be committed: values in the plan's memory or in the state's. */
  Outcome<Tensor> outcome() {
    return new Outcome<>(results(), program.outcome().apply().map(this::tensor), assigns());
  }

  private Map<Variable, Tensor> assigns() {
    Map<Variable, Tensor> assigns = new LinkedHashMap<>();
    program.outcome().assigns().forEach((variable, slot) -> assigns.put(variable, source(slot)));
    return assigns;
  }

  /** A variable's own tensor where a value is one, so that a commit knows it. */
  private Tensor source(int slot) {
    var variable = program.reads().get(slot);
    return variable != null ? state.read(variable) : tensor(slot);
  }

  PlanReport report() {
    List<String> schedule = new ArrayList<>();
    for (int i = 0; i < kernels.size(); i++) {
      schedule.add(line(program.tasks().get(i), kernels.get(i)));
    }
    long activations = ActivationBytes.of(program, slot -> program.spec(slot).bytes());
    return new PlanReport(activations, ownBytes, stateBytes, schedule);
  }

  private String line(Task task, Kernel kernel) {
    long workspace = kernel.workspaces().stream().mapToLong(Region::bytes).sum();
    StringBuilder line = new StringBuilder(task.at() + " " + task.work().label());
    for (int slot : task.out()) {
      Operand out = operand(slot);
      line.append(' ').append(out.spec());
      if (out.layout() == Layout.CHANNELS_LAST) {
        line.append(" channels last");
      }
    }
    if (!kernel.note().isEmpty()) {
      line.append(", ").append(kernel.note());
    }
    return workspace == 0 ? line.toString() : line + ", workspace " + workspace + " bytes";
  }

  @Override
  public void close() {
    kernels.forEach(Kernel::close);
    scope.close();
  }
}
