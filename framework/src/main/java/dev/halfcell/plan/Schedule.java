package dev.halfcell.plan;

import dev.halfcell.backend.PlannedTask;
import dev.halfcell.backend.StepPart;
import dev.halfcell.tensor.TensorSpec;
import java.util.List;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** Tells what the tasks of a program do and take. */
public final class Schedule {
  private final Program program;
  private final IntFunction<String> layouts;

  private Schedule(Program program, IntFunction<String> layouts) {
    this.program = program;
    this.layouts = layouts;
  }

  /**
   * How a backend computes a task.
   *
   * @param kernel which code computes; empty where that goes without saying
   * @param workspaceBytes that it needs while it runs
   * @param reorders how many tensors it brings into another layout
   */
  public record Compiled(String kernel, long workspaceBytes, int reorders) {}

  /**
   * The tasks of a program, in their order.
   *
   * @param layouts how the value of a slot lies in memory, in words
   * @param compiled how the task at a place is computed
   */
  public static List<PlannedTask> of(
      Program program, IntFunction<String> layouts, IntFunction<Compiled> compiled) {
    Schedule schedule = new Schedule(program, layouts);
    List<StepPart> parts = parts(program);
    return IntStream.range(0, program.tasks().size())
        .mapToObj(
            place ->
                schedule.told(program.tasks().get(place), parts.get(place), compiled.apply(place)))
        .toList();
  }

  /**
   * Which part of the step each task is. A loss that is computed together with its gradient is of
   * the forward pass; where there is no batch, gradients wait to be taken.
   */
  static List<StepPart> parts(Program program) {
    List<StepPart.Piece> pieces =
        program.tasks().stream()
            .map(
                task ->
                    new StepPart.Piece(
                        updates(program, task),
                        task.in().stream().map(program::storage).toList(),
                        task.out()))
            .toList();
    return StepPart.of(pieces, ActivationBytes.loss(program));
  }

  private static boolean updates(Program program, Task task) {
    return program.inputs().isEmpty()
        || task.work() instanceof UpdateAll
        || task.work() instanceof Work.Single(var op) && StepPart.updates(op);
  }

  private PlannedTask told(Task task, StepPart part, Compiled compiled) {
    return new PlannedTask(
        task.at(),
        task.work().label(),
        part,
        compiled.kernel(),
        task.out().stream()
            .map(slot -> new PlannedTask.Out(program.spec(slot), layouts.apply(slot)))
            .toList(),
        new PlannedTask.Cost(
            bytes(task),
            compiled.workspaceBytes(),
            Arithmetic.flops(program, task),
            compiled.reorders()));
  }

  /** What is read, each slot once, what is filled, and what is overwritten. */
  private long bytes(Task task) {
    Stream<Integer> read = task.in().stream().distinct();
    Stream<Integer> overwritten = task.work().overwrites().stream().map(task::in);
    return Stream.of(read, task.out().stream(), overwritten)
        .flatMap(slots -> slots)
        .map(program::spec)
        .mapToLong(TensorSpec::bytes)
        .sum();
  }
}
