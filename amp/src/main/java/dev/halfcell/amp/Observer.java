package dev.halfcell.amp;

import dev.halfcell.nn.Cell;
import dev.halfcell.nn.Parameter;
import dev.halfcell.op.CellPath;
import dev.halfcell.op.Executor;
import dev.halfcell.op.Op;
import dev.halfcell.op.precision.CellOutput;
import dev.halfcell.tensor.Tensor;
import dev.halfcell.tensor.TensorSpec;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Counts what each cell asks for, and keeps the spec of what it yields. It computes nothing: ops
 * get promises of what they infer. Made for one description.
 */
final class Observer {
  private final Map<CellPath, TensorSpec> outputs = new HashMap<>();
  private final Map<CellPath, Long> multiplyAdds = new HashMap<>();

  /** What stands at the bottom: ops arrive here with their inputs cast. */
  List<Tensor> infer(Op op, List<Tensor> in, CellPath at) {
    multiplyAdds.merge(at, op.multiplyAdds(Tensor.specs(in)), Long::sum);
    return op.infer(Tensor.specs(in), at).stream().map(Tensor::symbol).toList();
  }

  /** What stands on top: it sees what each cell leaves with. */
  Executor watching(Executor next) {
    return new Watching(next, outputs);
  }

  private record Watching(Executor next, Map<CellPath, TensorSpec> outputs) implements Executor {
    @Override
    public List<Tensor> execute(Op op, List<Tensor> in, CellPath at) {
      List<Tensor> out = next.execute(op, in, at);
      if (op instanceof CellOutput) {
        outputs.putIfAbsent(at, out.getFirst().spec());
      }
      return out;
    }

    @Override
    public Tensor parameter(Tensor value, CellPath at, String name) {
      return next.parameter(value, at, name);
    }

    @Override
    public boolean castsByPlan() {
      return next.castsByPlan();
    }
  }

  Summary.Row row(Cell cell, CellPath path) {
    return new Summary.Row(
        path,
        cell.getClass().getSimpleName(),
        Optional.ofNullable(outputs.get(path)),
        elements(cell, true),
        elements(cell, false),
        multiplyAdds.getOrDefault(path, 0L));
  }

  private static long elements(Cell cell, boolean trainable) {
    return cell.parameters().stream()
        .filter(parameter -> parameter.trainable() == trainable)
        .map(Parameter::spec)
        .mapToLong(TensorSpec::size)
        .sum();
  }
}
