package dev.halfcell.gpu;

import dev.halfcell.backend.Variable;
import dev.halfcell.gpu.driver.DeviceMemory;
import dev.halfcell.gpu.driver.GpuArena;
import dev.halfcell.gpu.driver.GpuDevice;
import dev.halfcell.gpu.kernel.Assignment;
import dev.halfcell.gpu.kernel.DeviceTensor;
import dev.halfcell.gpu.kernel.KernelLibrary;
import dev.halfcell.gpu.kernel.Launch;
import dev.halfcell.gpu.kernel.ProblemWord;
import dev.halfcell.gpu.kernel.Recipe;
import dev.halfcell.plan.Program;
import dev.halfcell.plan.Task;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Where everything of a plan lies on the device, and what is launched there. */
final class Placement implements AutoCloseable {
  private final Compilation compiled;
  private final Program program;
  private final Map<Variable, ResidentTensor> variables;
  private final GpuArena filled;
  private final GpuArena extra;

  /**
   * Takes the memory.
   *
   * @param variables the device's side of the variables that the program reads or assigns
   */
  Placement(GpuDevice device, Compilation compiled, Map<Variable, ResidentTensor> variables) {
    this.compiled = compiled;
    this.program = compiled.program();
    this.variables = variables;
    this.filled = device.allocate(compiled.memory().size());
    try {
      this.extra = device.allocate(compiled.extra().bytes());
    } catch (RuntimeException | Error e) {
      filled.close();
      throw e;
    }
  }

  /** The memory of a slot's value. */
  DeviceMemory memory(int slot) {
    int storage = program.storage(slot);
    long bytes = program.spec(slot).bytes();
    Long given = compiled.extra().inputs().get(storage);
    if (given != null) {
      return extra.memory().slice(given, bytes);
    }
    Variable variable = program.reads().get(storage);
    if (variable != null) {
      return resident(variable).memory().slice(0, bytes);
    }
    Long offset = compiled.memory().offsets().get(storage);
    if (offset == null) {
      throw new IllegalStateException("slot " + slot + " is not in the program");
    }
    return filled.memory().slice(offset, bytes);
  }

  private ResidentTensor resident(Variable variable) {
    ResidentTensor found = variables.get(variable);
    if (found == null) {
      throw new IllegalStateException(variable + " is not on the device");
    }
    return found;
  }

  /** The word in which kernels note problems. */
  DeviceMemory problem() {
    return extra.memory().slice(compiled.extra().control(), ProblemWord.BYTES);
  }

  /** A byte that says yes. */
  DeviceMemory yes() {
    return extra.memory().slice(compiled.extra().control() + ProblemWord.BYTES, 1);
  }

  /** The memory of a slot's value as it was before the step, where the step may change it. */
  DeviceMemory kept(int slot) {
    Long copy = compiled.extra().copies().get(slot);
    return copy == null ? memory(slot) : extra.memory().slice(copy, program.spec(slot).bytes());
  }

  /** What is to be copied before the step: from, to. */
  Map<DeviceMemory, DeviceMemory> copies() {
    Map<DeviceMemory, DeviceMemory> copies = new LinkedHashMap<>();
    compiled.extra().copies().keySet().forEach(slot -> copies.put(memory(slot), kept(slot)));
    return copies;
  }

  /** The launches of all tasks. */
  List<Launch> launches() {
    List<Launch> launches = new ArrayList<>();
    for (int i = 0; i < program.tasks().size(); i++) {
      Task task = program.tasks().get(i);
      Recipe recipe = compiled.recipes().get(i);
      ProblemWord problem = new ProblemWord(problem(), i);
      launches.addAll(
          recipe
              .binding()
              .at(
                  new Recipe.Place(
                      tensors(task.in()), tensors(task.out()), workspaces(i, recipe), problem)));
    }
    return launches;
  }

  private List<DeviceTensor> tensors(List<Integer> slots) {
    return slots.stream().map(slot -> new DeviceTensor(program.spec(slot), memory(slot))).toList();
  }

  private List<DeviceMemory> workspaces(int task, Recipe recipe) {
    List<DeviceMemory> pieces = new ArrayList<>();
    long offset = Compilation.aligned(compiled.memory().workspaces().getOrDefault(task, 0L));
    for (long bytes : recipe.workspaces()) {
      pieces.add(filled.memory().slice(offset, bytes));
      offset += Compilation.aligned(bytes);
    }
    return pieces;
  }

  /** The launches that make what the step computed the state. */
  List<Launch> assignments(KernelLibrary kernels) {
    DeviceMemory apply = program.outcome().apply().map(this::memory).orElseGet(this::yes);
    List<Assignment> assignments = new ArrayList<>();
    program
        .outcome()
        .assigns()
        .forEach(
            (variable, slot) ->
                assignments.add(
                    new Assignment(
                        kept(slot),
                        resident(variable).memory(),
                        variable.guarded() ? apply : yes())));
    return Assignment.all(kernels, assignments, problem());
  }

  @Override
  public void close() {
    filled.close();
    extra.close();
  }
}
