package dev.halfcell.cpu.kernel;

import dev.halfcell.op.normalization.Groups;
import dev.halfcell.op.normalization.GroupwiseGradient;
import dev.halfcell.tensor.Elements;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;

/**
 * The gradient of a normalisation within each sample, a group at a time. Each part sums the
 * parameters' gradients of its groups in double; then the parts are added in order.
 */
final class GroupwiseBackward {
  private final boolean centered;
  private final Groups groups;
  private final List<Operand> in;
  private final List<Operand> out;

  private GroupwiseBackward(GroupwiseGradient op, List<Operand> in, List<Operand> out) {
    this.centered = op.centered();
    this.groups = op.groups(in.stream().map(Operand::spec).toList());
    this.in = in;
    this.out = out;
  }

  static void build(
      KernelBuilder builder, GroupwiseGradient op, List<Operand> in, List<Operand> out) {
    GroupwiseBackward backward =
        new GroupwiseBackward(op, builder.rowMajorIn(in), builder.rowMajorOut(out));
    Split split = Split.of(backward.groups.count(), 1, builder.threads());
    Part[] parts =
        IntStream.range(0, split.parts())
            .mapToObj(part -> backward.new Part(builder.scratch(part)))
            .toArray(Part[]::new);
    builder.stage(parts.length, p -> parts[p].run(split.from(p), split.from(p + 1)));
    builder.stage(1, _ -> backward.store(parts));
  }

  private void store(Part[] parts) {
    for (int p = 0; p < groups.allParameters(); p++) {
      double dgamma = 0;
      double dbeta = 0;
      for (Part part : parts) {
        dgamma += part.dgamma[p];
        dbeta += part.dbeta[p];
      }
      set(1, p, dgamma);
      if (centered) {
        set(2, p, dbeta);
      }
    }
  }

  private void set(int output, int index, double value) {
    Operand to = out.get(output);
    Elements.set(to.region().data(), to.dtype(), index, value);
  }

  private final class Part {
    private final Chunk ds;
    private final Chunk xs;
    private final Chunk gamma;
    private final double[] dgamma = new double[groups.allParameters()];
    private final double[] dbeta = new double[groups.allParameters()];

    Part(Scratch scratch) {
      ds = scratch.chunk(groups.length());
      xs = scratch.chunk(groups.length());
      gamma = scratch.chunk(groups.allParameters());
    }

    void run(int from, int to) {
      Arrays.fill(dgamma, 0);
      Arrays.fill(dbeta, 0);
      load(gamma, in.get(2), 0);
      for (int group = from; group < to; group++) {
        long at = (long) group * groups.length();
        load(ds, in.get(0), at);
        load(xs, in.get(1), at);
        double rstd = saved(in.getLast(), group);
        normal(xs.values, centered ? saved(in.get(3), group) : 0, rstd, groups.length());
        differentiate(groups.firstParameter(group), rstd);
        Operand dx = out.getFirst();
        ds.store(dx, at, groups.length());
      }
    }

    private static void load(Chunk chunk, Operand from, long at) {
      chunk.load(from, at, chunk.values.length);
    }

    private static double saved(Operand from, int group) {
      return Elements.get(from.region().data(), from.dtype(), group);
    }

    private static void normal(float[] x, double mean, double rstd, int count) {
      for (int i = 0; i < count; i++) {
        x[i] = (float) ((x[i] - mean) * rstd);
      }
    }

    private void differentiate(int first, double rstd) {
      int length = groups.length();
      float[] d = ds.values;
      float[] n = xs.values;
      if (groups.run() == 1 && first == 0) {
        addProducts(dgamma, d, n, length);
        add(dbeta, d, length);
        scale(d, gamma.values, length);
      } else {
        for (int p = 0; p < groups.parameters(); p++) {
          int from = p * groups.run();
          dgamma[first + p] += RunningSums.ofProducts(d, n, from, groups.run());
          dbeta[first + p] += RunningSums.of(d, from, groups.run());
          scale(d, gamma.values[first + p], from, groups.run());
        }
      }
      double plain = centered ? RunningSums.of(d, 0, length) / length : 0;
      double product = RunningSums.ofProducts(d, n, 0, length) / length;
      project(d, n, (float) plain, (float) product, (float) rstd, length);
    }

    private static void addProducts(double[] sums, float[] a, float[] b, int count) {
      for (int i = 0; i < count; i++) {
        sums[i] += (double) a[i] * b[i];
      }
    }

    private static void add(double[] sums, float[] a, int count) {
      for (int i = 0; i < count; i++) {
        sums[i] += a[i];
      }
    }

    /** The JIT vectorises it since all places are the same one. */
    private static void scale(float[] d, float[] gamma, int count) {
      for (int i = 0; i < count; i++) {
        d[i] *= gamma[i];
      }
    }

    private static void scale(float[] d, float gamma, int from, int count) {
      for (int i = from; i < from + count; i++) {
        d[i] *= gamma;
      }
    }

    /** Takes off what would move the group's mean and deviation. */
    private static void project(
        float[] g, float[] n, float plain, float product, float rstd, int count) {
      for (int i = 0; i < count; i++) {
        g[i] = rstd * (g[i] - plain - n[i] * product);
      }
    }
  }
}
