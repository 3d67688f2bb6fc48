package dev.halfcell.cpu.kernel;

import dev.halfcell.op.update.AdagradRule;
import dev.halfcell.op.update.AdamRule;
import dev.halfcell.op.update.LambRule;
import dev.halfcell.op.update.LarsRule;
import dev.halfcell.op.update.MomentumRule;
import dev.halfcell.op.update.RmsPropRule;
import dev.halfcell.op.update.SgdRule;
import dev.halfcell.op.update.UpdateRule;
import java.util.List;

/**
 * The ratio of norms over a whole parameter by which some rules scale its rate: squares are summed
 * chunk by chunk in double before anything moves.
 */
sealed interface TrustRatio {
  /**
   * Adds the squares of {@code count} elements: of the parameter to sums 0, of a step to sums 1.
   */
  void add(float[][] in, int count, double[] sums);

  /** The ratio for these sums over the whole parameter. */
  double of(double parameter, double step);

  /** Whether a rule has one. */
  static boolean needed(UpdateRule rule) {
    return switch (rule) {
      case LambRule _, LarsRule _ -> true;
      case AdagradRule _, AdamRule _, MomentumRule _, RmsPropRule _, SgdRule _ -> false;
    };
  }

  /** What a rule scales its rate by at this step. */
  static TrustRatio of(UpdateRule update, List<Operand> scalars) {
    return switch (update) {
      case LambRule rule -> new Lamb(Moments.of(rule, scalars.get(1)), rule.weightDecay());
      case LarsRule rule -> new Lars(rule.trust(), rule.weightDecay());
      case AdagradRule _, AdamRule _, MomentumRule _, RmsPropRule _, SgdRule _ -> new One();
    };
  }

  /** The rate as it is. */
  record One() implements TrustRatio {
    @Override
    public void add(float[][] in, int count, double[] sums) {
      // nothing is summed
    }

    @Override
    public double of(double parameter, double step) {
      return 1;
    }
  }

  /** ‖w‖ / ‖u‖. */
  record Lamb(Moments moments, double decay) implements TrustRatio {
    @Override
    public void add(float[][] in, int count, double[] sums) {
      double step = 0;
      for (int i = 0; i < count; i++) {
        float first = moments.first(in[1][i], in[3][i]);
        float second = moments.second(in[2][i], in[3][i]);
        double u = moments.step(first, second) + decay * in[0][i];
        step += u * u;
      }
      sums[0] += Squares.sum(in[0], count);
      sums[1] += step;
    }

    @Override
    public double of(double parameter, double step) {
      return parameter == 0 || step == 0 ? 1 : Math.sqrt(parameter) / Math.sqrt(step);
    }
  }

  /** trust · ‖w‖ / (‖gradient‖ + decay · ‖w‖). */
  record Lars(double trust, double decay) implements TrustRatio {
    @Override
    public void add(float[][] in, int count, double[] sums) {
      sums[0] += Squares.sum(in[0], count);
      sums[1] += Squares.sum(in[2], count);
    }

    @Override
    public double of(double parameter, double step) {
      double w = Math.sqrt(parameter);
      return parameter == 0 || step == 0 ? 1 : trust * w / (Math.sqrt(step) + decay * w);
    }
  }
}
