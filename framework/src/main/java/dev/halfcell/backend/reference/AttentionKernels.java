package dev.halfcell.backend.reference;

import static dev.halfcell.backend.reference.Loops.sum;

import dev.halfcell.op.attention.Attention;
import dev.halfcell.op.attention.ScaledDotProductAttention;
import dev.halfcell.op.attention.ScaledDotProductAttentionGradient;
import dev.halfcell.tensor.Tensor;
import java.util.List;

final class AttentionKernels {
  private AttentionKernels() {}

  static List<double[]> compute(Attention op, List<Tensor> in) {
    return switch (op) {
      case ScaledDotProductAttention(boolean causal, double scale) ->
          forward(new AttentionWalk(in, causal), scale, in);
      case ScaledDotProductAttentionGradient(boolean causal, double scale, _, _, _) ->
          backward(new AttentionWalk(in.subList(1, in.size()), causal), scale, in);
    };
  }

  private static List<double[]> forward(AttentionWalk walk, double scale, List<Tensor> in) {
    double[] q = in.get(0).toArray();
    double[] k = in.get(1).toArray();
    double[] v = in.get(2).toArray();
    double[] y = new double[walk.rows() * walk.width()];
    double[] log = new double[walk.rows()];
    for (int row = 0; row < walk.rows(); row++) {
      double[] p = scores(walk, row, scale, q, k);
      log[row] = logSum(p);
      probabilities(p, log[row]);
      for (int e = 0; e < walk.width(); e++) {
        int column = e;
        int values = walk.value(row, 0);
        y[row * walk.width() + e] =
            sum(p.length, s -> p[s] * v[values + s * walk.width() + column]);
      }
    }
    return List.of(y, log);
  }

  private static List<double[]> backward(AttentionWalk walk, double scale, List<Tensor> in) {
    double[] d = in.get(0).toArray();
    double[] q = in.get(1).toArray();
    double[] k = in.get(2).toArray();
    double[] v = in.get(3).toArray();
    double[] log = in.get(4).toArray();
    double[] dq = new double[q.length];
    double[] dk = new double[k.length];
    double[] dv = new double[v.length];
    for (int row = 0; row < walk.rows(); row++) {
      double[] p = scores(walk, row, scale, q, k);
      probabilities(p, log[row]);
      double[] g = new double[p.length];
      for (int s = 0; s < p.length; s++) {
        for (int e = 0; e < walk.width(); e++) {
          int value = walk.value(row, s) + e;
          g[s] += d[row * walk.width() + e] * v[value];
          dv[value] += p[s] * d[row * walk.width() + e];
        }
      }
      double mean = sum(p.length, s -> p[s] * g[s]);
      for (int s = 0; s < p.length; s++) {
        double h = scale * p[s] * (g[s] - mean);
        for (int f = 0; f < walk.features(); f++) {
          dq[row * walk.features() + f] += h * k[walk.key(row, s) + f];
          dk[walk.key(row, s) + f] += h * q[row * walk.features() + f];
        }
      }
    }
    return List.of(dq, dk, dv);
  }

  /** The scores of one query, −∞ where a key takes no part. */
  private static double[] scores(
      AttentionWalk walk, int row, double scale, double[] q, double[] k) {
    double[] scores = new double[walk.keys()];
    for (int s = 0; s < scores.length; s++) {
      int key = walk.key(row, s);
      int query = row * walk.features();
      scores[s] =
          walk.takesPart(row, s)
              ? scale * sum(walk.features(), f -> q[query + f] * k[key + f])
              : Double.NEGATIVE_INFINITY;
    }
    return scores;
  }

  private static double logSum(double[] scores) {
    double largest = Double.NEGATIVE_INFINITY;
    for (double score : scores) {
      largest = Math.max(largest, score);
    }
    double shift = largest;
    return largest == Double.NEGATIVE_INFINITY
        ? largest
        : largest + Math.log(sum(scores.length, s -> Math.exp(scores[s] - shift)));
  }

  private static void probabilities(double[] scores, double log) {
    for (int s = 0; s < scores.length; s++) {
      boolean nothing = log == Double.NEGATIVE_INFINITY || scores[s] == Double.NEGATIVE_INFINITY;
      scores[s] = nothing ? 0 : Math.exp(scores[s] - log);
    }
  }
}
