package dev.halfcell.amp.diagnosis;

import dev.halfcell.amp.precision.Decision;
import dev.halfcell.amp.precision.PrecisionPlan;
import dev.halfcell.amp.precision.Treatment;
import dev.halfcell.autodiff.Gradient;
import dev.halfcell.autodiff.Tape;
import dev.halfcell.backend.Backend;
import dev.halfcell.backend.CheckedExecutor;
import dev.halfcell.backend.Variable;
import dev.halfcell.backend.Variables;
import dev.halfcell.data.Batch;
import dev.halfcell.nn.Cell;
import dev.halfcell.nn.Recording;
import dev.halfcell.op.CellPath;
import dev.halfcell.op.Executor;
import dev.halfcell.op.Op;
import dev.halfcell.op.precision.Cast;
import dev.halfcell.op.precision.CellOutput;
import dev.halfcell.tensor.DType;
import dev.halfcell.tensor.Tensor;
import dev.halfcell.tensor.TensorScope;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Computes the gradients of a batch in FP32, op by op and without a loss scale, and counts them. It
 * changes nothing.
 *
 * @param net yields the loss itself
 * @param plan what will compute in half, and in which
 */
public record UnderflowSearch(Cell net, PrecisionPlan plan, Backend backend) {
  /** What half loses of the gradients of this batch at a loss scale. */
  public UnderflowReport report(Variables state, Batch batch, double scale) {
    try (TensorScope scope = TensorScope.open()) {
      Tape tape = new Tape(new CheckedExecutor(backend.eager(scope)));
      Gathering gathering = new Gathering(state, tape);
      Recording recording = new Recording(gathering, gathering, net, batch.samples(), true);
      Tensor loss = recording.call(net, batch.inputs().toArray(Tensor[]::new));
      Map<Tensor, Gradient> gradients =
          tape.backward(Map.of(loss, Tensor.scalar(scope, loss.dtype(), 1)));
      return new UnderflowReport(half(), scale, rows(gathering, gradients));
    }
  }

  private DType half() {
    return plan.cells().values().stream()
        .filter(decision -> decision.treatment() != Treatment.FULL)
        .findFirst()
        .map(Decision::half)
        .orElse(DType.FP16);
  }

  private List<UnderflowReport.Row> rows(Gathering from, Map<Tensor, Gradient> gradients) {
    Map<CellPath, Exponents> cells = new LinkedHashMap<>();
    from.activations.forEach(
        (tensor, at) -> {
          Gradient gradient = gradients.get(tensor);
          if (gradient != null) {
            cells.computeIfAbsent(at, _ -> new Exponents()).add(gradient.values());
          }
        });
    List<UnderflowReport.Row> rows = new ArrayList<>();
    cells.forEach((at, all) -> rows.add(new UnderflowReport.Row(at, false, inHalf(at), all)));
    from.parameters.forEach(
        (variable, tensor) -> {
          Gradient gradient = gradients.get(tensor);
          if (gradient != null) {
            Exponents all = new Exponents();
            all.add(gradient.values());
            rows.add(new UnderflowReport.Row(variable.path(), true, false, all));
          }
        });
    return rows;
  }

  private boolean inHalf(CellPath at) {
    Treatment treatment = plan.treatment(at);
    return treatment != Treatment.FULL && treatment != Treatment.FULL_THEN_HALF;
  }

  /** Remembers which cell yielded a tensor, and which tensor is a parameter. */
  private static final class Gathering implements Variables, Executor {
    private final Variables state;
    private final Tape tape;
    private final Map<Tensor, CellPath> activations = new LinkedHashMap<>();
    private final Map<Variable, Tensor> parameters = new LinkedHashMap<>();

    Gathering(Variables state, Tape tape) {
      this.state = state;
      this.tape = tape;
    }

    /** All is FP32: cells that bring their own precision do not cast either. */
    @Override
    public boolean castsByPlan() {
      return true;
    }

    @Override
    public List<Tensor> execute(Op op, List<Tensor> in, CellPath at) {
      List<Tensor> out = tape.execute(op, in, at);
      if (!(op instanceof CellOutput || op instanceof Cast)) {
        out.forEach(tensor -> activations.put(tensor, at));
      }
      return out;
    }

    @Override
    public Tensor read(Variable variable) {
      return variable.kind() == Variable.Kind.PARAMETER
          ? parameters.computeIfAbsent(variable, v -> tape.watch(state.read(v)))
          : state.read(variable);
    }

    @Override
    public long seed() {
      return state.seed();
    }
  }
}
