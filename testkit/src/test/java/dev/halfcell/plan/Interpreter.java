package dev.halfcell.plan;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.halfcell.backend.Backend;
import dev.halfcell.backend.Commit;
import dev.halfcell.backend.Variables;
import dev.halfcell.op.Ops;
import dev.halfcell.tensor.Tensor;
import dev.halfcell.tensor.TensorScope;
import java.util.List;
import java.util.Objects;
import java.util.stream.IntStream;

/** Runs a program by the definitions of its tasks, op by op: what the program means. */
final class Interpreter {
  private final Backend backend;
  private final TensorScope scope;
  private final Program program;
  private final Tensor[] values;

  private Interpreter(Backend backend, TensorScope scope, Program program) {
    this.backend = backend;
    this.scope = scope;
    this.program = program;
    this.values = new Tensor[program.slots().size()];
  }

  /** The results; what is to be assigned has been. */
  static List<Tensor> run(
      Program program, Backend backend, Variables state, List<Tensor> inputs, TensorScope scope) {
    Interpreter interpreter = new Interpreter(backend, scope, program);
    program.reads().forEach((slot, variable) -> interpreter.values[slot] = state.read(variable));
    program.constants().forEach((slot, value) -> interpreter.values[slot] = value);
    for (int i = 0; i < inputs.size(); i++) {
      interpreter.values[program.inputs().get(i)] = inputs.get(i);
    }
    program.tasks().forEach(interpreter::run);
    List<Tensor> results =
        program.outcome().results().stream().map(interpreter::value).map(scope::copy).toList();
    Commit.to(state, program.outcome().map(interpreter::value));
    return results;
  }

  private Tensor value(int slot) {
    Tensor stored = Objects.requireNonNull(values[program.storage(slot)], "slot " + slot);
    return program.storage(slot) == slot ? stored : Tensor.over(program.spec(slot), stored.data());
  }

  private void run(Task task) {
    List<Tensor> in = task.in().stream().map(this::value).toList();
    List<Tensor> out = task.work().define(new Ops(backend.eager(scope), task.at()), in);
    IntStream.range(0, task.out().size())
        .forEach(
            i -> {
              assertEquals(program.spec(task.out(i)), out.get(i).spec(), task.toString());
              values[task.out(i)] = out.get(i);
            });
    List<Integer> overwritten = task.work().overwrites();
    boolean moves = !overwritten.isEmpty() && out.getFirst().item() != 0;
    for (int i = 0; moves && i < overwritten.size(); i++) {
      Tensor now = out.get(task.out().size() + i);
      in.get(overwritten.get(i)).data().copyFrom(now.data());
    }
  }
}
