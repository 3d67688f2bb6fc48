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
import dev.halfcell.cpu.kernel.ScratchPool;
import dev.halfcell.cpu.kernel.Stage;
import dev.halfcell.cpu.onednn.Region;
import dev.halfcell.plan.ActivationBytes;
import dev.halfcell.plan.Fusion;
import dev.halfcell.plan.MemoryPlan;
import dev.halfcell.plan.MemoryPlanner;
import dev.halfcell.plan.Program;
import dev.halfcell.plan.Schedule;
import dev.halfcell.plan.Task;
import dev.halfcell.plan.TaskSpans;
import dev.halfcell.plan.WidenFactors;
import dev.halfcell.plan.WidenGradients;
import dev.halfcell.tensor.Tensor;
import dev.halfcell.tensor.TensorScope;
import dev.halfcell.tensor.TensorSpec;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Turns a graph into kernels over placed memory, and owns both. */
final class Compilation implements AutoCloseable {
  private static final long ALIGNMENT = 64;

  private final Program program;
  private final Set<Integer> channelsLast;
  private final TensorScope scope;
  private final Map<Integer, Operand> operands = new HashMap<>();
  private final List<Kernel> kernels = new ArrayList<>();
  private final Map<Integer, Tensor> given = new HashMap<>();
  private final List<Copy> copies = new ArrayList<>();
  private final long stateBytes;
  private final Optional<JoinedLoops> joined;
  private final MemoryPlan memory;

  /** Left out where a plan is only measured. */
  private @Nullable PlanMemory arena;

  /** A result that is an input or a variable, copied before the step changes it. */
  record Copy(Region from, Tensor to) {}

  private Compilation(Machine machine, Graph graph, PlanOptions options) {
    Program plain = Program.of(graph);
    this.program = options.fuse() ? fused(machine, plain) : plain;
    this.channelsLast = options.layouts() ? Layouts.channelsLast(program) : Set.of();
    this.stateBytes = graph.stateBytes();
    this.scope = TensorScope.open(); // not before, for a program may fail to be rewritten
    try {
      makeOperands();
      makeKernels(machine);
      this.joined =
          options.fuse() ? Optional.of(JoinedLoops.of(program, kernels)) : Optional.empty();
      this.memory = memory();
    } catch (RuntimeException | Error e) {
      close();
      throw e;
    }
  }

  private static Program fused(Machine machine, Program plain) {
    WidenGradients gradients = new WidenGradients(machine.computes().storedByConvolutions());
    WidenFactors factors = new WidenFactors(machine.computes().widenedSlowly());
    return Fusion.shareStorage(factors.apply(gradients.apply(Fusion.fuse(plain))));
  }

  static Compilation of(Machine machine, Graph graph, Variables state, PlanOptions options) {
    Compilation compilation = new Compilation(machine, graph, options);
    try {
      compilation.place(state);
      return compilation;
    } catch (RuntimeException | Error e) {
      compilation.close();
      throw e;
    }
  }

  /** What it would take, without the memory for it. */
  static PlanReport measure(Machine machine, Graph graph, PlanOptions options) {
    try (Compilation compilation = new Compilation(machine, graph, options)) {
      return compilation.report();
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

  private MemoryPlan memory() {
    Map<Task, Long> workspaces = new HashMap<>();
    for (int i = 0; i < kernels.size(); i++) {
      long bytes = kernels.get(i).workspaces().stream().mapToLong(r -> aligned(r.bytes())).sum();
      workspaces.put(program.tasks().get(i), bytes);
    }
    return MemoryPlanner.plan(
        program,
        slot -> program.spec(slot).bytes(),
        task -> workspaces.getOrDefault(task, 0L),
        joined.map(JoinedLoops::spans).orElse(TaskSpans.inTurn(kernels.size())));
  }

  private void place(Variables state) {
    program
        .reads()
        .forEach((slot, variable) -> operand(slot).region().place(state.read(variable).host()));
    program
        .constants()
        .forEach((slot, value) -> operand(slot).region().place(scope.copy(value).data()));
    arena = PlanMemory.of(memory.size());
    MemorySegment all = arena.data();
    memory
        .offsets()
        .forEach(
            (slot, offset) -> {
              Region region = operand(slot).region();
              region.place(all.asSlice(offset, region.bytes()));
            });
    memory
        .workspaces()
        .forEach((task, offset) -> place(kernels.get(task).workspaces(), all, offset));
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
    for (int slot : givenResults()) {
      Tensor copy = scope.allocate(program.spec(slot));
      given.put(slot, copy);
      copies.add(new Copy(operand(slot).region(), copy));
    }
  }

  private Set<Integer> givenResults() {
    Set<Integer> slots = new LinkedHashSet<>(program.outcome().results());
    slots.removeIf(slot -> !program.given(program.storage(slot)));
    return slots;
  }

  List<Kernel> kernels() {
    return kernels;
  }

  /** What a run does, in order. */
  List<Stage> stages() {
    return joined.map(JoinedLoops::stages).orElseGet(this::stagesInTurn);
  }

  /** The same task by task, and slower. */
  List<Stage> stagesInTurn() {
    return kernels.stream().flatMap(kernel -> kernel.stages().stream()).toList();
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
  Outcome<Tensor> outcome(Variables state) {
    Map<Variable, Tensor> assigns = new LinkedHashMap<>();
    program
        .outcome()
        .assigns()
        .forEach((variable, slot) -> assigns.put(variable, source(slot, state)));
    return new Outcome<>(results(), program.outcome().apply().map(this::tensor), assigns);
  }

  /** A variable's own tensor where a value is one, so that a commit knows it. */
  private Tensor source(int slot, Variables state) {
    var variable = program.reads().get(slot);
    return variable != null ? state.read(variable) : tensor(slot);
  }

  PlanReport report() {
    PlanReport.Memory taken =
        new PlanReport.Memory(
            ActivationBytes.of(program, slot -> program.spec(slot).bytes()),
            memory.size() + besideBytes(),
            OptionalLong.of(memory.bound() + besideBytes()),
            constantBytes(),
            heapBytes(),
            stateBytes);
    return new PlanReport(
        taken, Schedule.of(program, slot -> operand(slot).layout().label(), this::compiled));
  }

  private Schedule.Compiled compiled(int task) {
    Kernel kernel = kernels.get(task);
    long workspace = kernel.workspaces().stream().mapToLong(Region::bytes).sum();
    boolean withNext = joined.isPresent() && joined.get().withNext(task);
    String note = (kernel.note() + (withNext ? " with next" : "")).strip();
    return new Schedule.Compiled(note, workspace, kernel.reorders());
  }

  /** What lies beside the arena: constants, and results that a step may change. */
  private long besideBytes() {
    long results = givenResults().stream().mapToLong(slot -> program.spec(slot).bytes()).sum();
    return constantBytes() + results;
  }

  private long constantBytes() {
    return program.constants().values().stream().mapToLong(value -> value.spec().bytes()).sum();
  }

  /** Kernels share what they work in; it counts once. */
  private long heapBytes() {
    Map<ScratchPool.Room, Long> sizes = new HashMap<>();
    kernels.forEach(kernel -> sizes.putAll(kernel.scratch()));
    return sizes.values().stream().mapToLong(Long::longValue).sum();
  }

  @Override
  public void close() {
    try (scope;
        PlanMemory _ = arena) {
      kernels.forEach(Kernel::close);
    }
  }
}
