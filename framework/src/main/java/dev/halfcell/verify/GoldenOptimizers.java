package dev.halfcell.verify;

import dev.halfcell.backend.Backend;
import dev.halfcell.backend.CheckedExecutor;
import dev.halfcell.op.CellPath;
import dev.halfcell.op.Executor;
import dev.halfcell.tensor.DType;
import dev.halfcell.tensor.Tensor;
import dev.halfcell.tensor.TensorScope;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;

/**
 * Files of an optimizer: steps on given gradients, each from the weight and slots that the one
 * before it left.
 */
public final class GoldenOptimizers implements GoldenCheck {
  @Override
  public boolean covers(GoldenFile file) {
    return file.attribute("op").equals(Optional.of("optimizer")) && rule(file).isPresent();
  }

  @Override
  public List<Verification> check(GoldenFile file, Backend backend) {
    return rule(file).map(rule -> Verification.of(file, run(file, rule, backend))).stream()
        .toList();
  }

  /** The rule that a file's settings name; nothing where they name more than there is. */
  private static Optional<OptimizerRule> rule(GoldenFile file) {
    OptimizerSettings has = new OptimizerSettings(file);
    if (has.only("lr", "betas", "eps", "l2", "wd", "decoupled")
        && has.flag("decoupled") == has.names("wd")) {
      return has.names("betas") ? Optional.of(OptimizerRule.adam(has)) : Optional.empty();
    }
    return has.only("lr", "momentum", "nesterov", "l2")
        ? Optional.of(OptimizerRule.momentum(has))
        : Optional.empty();
  }

  private static Deviation run(GoldenFile file, OptimizerRule rule, Backend backend) {
    Deviation worst = Deviation.NONE;
    try (TensorScope scope = TensorScope.open()) {
      Executor executor = new CheckedExecutor(backend.eager(scope));
      Tensor weight = file.tensor("w0");
      List<Tensor> slots = Collections.nCopies(rule.slots(), scope.allocate(weight.spec()));
      for (int step = 1; file.has("grad" + step); step++) {
        List<Tensor> in = new ArrayList<>(List.of(weight));
        in.addAll(slots);
        in.add(file.tensor("grad" + step));
        in.add(Tensor.scalar(scope, DType.FP32, rule.rate()));
        if (rule.counted()) {
          in.add(Tensor.scalar(scope, DType.INT64, step - 1));
        }
        List<Tensor> out = executor.execute(rule.op(), in, CellPath.STEP);
        weight = out.getFirst();
        slots = out.subList(1, out.size());
        worst =
            Deviation.between("w" + step, file.tensor("w" + step), weight, Bound.STANDARD)
                .worse(worst);
      }
    }
    return worst;
  }
}
