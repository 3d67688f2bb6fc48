package dev.halfcell.optim;

import dev.halfcell.backend.Variable;
import dev.halfcell.op.update.Schedule;
import java.util.List;

/**
 * An optimizer as a value: its hyper-parameters, the slots it keeps for each parameter, and how it
 * describes an update. It holds no state. Slots are FP32 and start at zero.
 */
public interface Optimizer {
  /** The learning rate by applied steps. */
  Schedule learningRate();

  /** The names of the slots that it keeps for each parameter; each has the parameter's shape. */
  List<String> slots();

  /** Describes the update of one parameter and its slots; see {@link ParameterUpdate#assign}. */
  void update(ParameterUpdate of);

  /** The slots of a parameter. */
  default List<Variable> slots(Variable parameter) {
    return slots().stream().map(parameter::slot).toList();
  }
}
