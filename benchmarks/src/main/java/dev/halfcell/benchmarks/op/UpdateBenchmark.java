package dev.halfcell.benchmarks.op;

import dev.halfcell.backend.Backend;
import dev.halfcell.benchmarks.PlannedOp;
import dev.halfcell.op.update.AdamRule;
import dev.halfcell.op.update.MomentumRule;
import dev.halfcell.op.update.SgdRule;
import dev.halfcell.op.update.UpdateRule;
import dev.halfcell.tensor.DType;
import dev.halfcell.tensor.TensorSpec;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.openjdk.jmh.annotations.Param;

/** An optimizer's update of a million numbers in FP32, into others than it reads. */
public class UpdateBenchmark extends CpuBenchmark {
  private static final int ELEMENTS = 1 << 20;

  /** Whose update. */
  @Param public Rule rule = Rule.SGD;

  /** Whose update. */
  public enum Rule {
    SGD,
    MOMENTUM,
    ADAM;

    private UpdateRule update() {
      return switch (this) {
        case SGD -> new SgdRule(0);
        case MOMENTUM -> new MomentumRule(0.9, false, 0);
        case ADAM -> new AdamRule(0.9, 0.999, 1e-8, 0, false);
      };
    }

    /** The parameter, its slots and its gradient; then the rate and, for Adam, the steps so far. */
    private TensorSpec[] inputs() {
      UpdateRule update = update();
      int alike = update.slots().size() + 2;
      List<TensorSpec> specs =
          new ArrayList<>(Collections.nCopies(alike, TensorSpec.of(DType.FP32, ELEMENTS)));
      specs.add(TensorSpec.of(DType.FP32));
      if (update.counted()) {
        specs.add(TensorSpec.of(DType.INT64));
      }
      return specs.toArray(TensorSpec[]::new);
    }
  }

  @Override
  PlannedOp plan(Backend cpu) {
    return new PlannedOp(cpu, rule.update(), rule.inputs());
  }
}
