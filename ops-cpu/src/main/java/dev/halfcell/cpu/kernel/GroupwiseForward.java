package dev.halfcell.cpu.kernel;

import dev.halfcell.op.normalization.Groups;
import dev.halfcell.op.normalization.GroupwiseNormalization;
import dev.halfcell.tensor.Elements;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Normalisation within each sample, a group at a time: the mean, then the squares of what is left,
 * both summed in double; then scale and shift.
 */
final class GroupwiseForward {
  private final GroupwiseNormalization op;
  private final Groups groups;
  private final List<Operand> in;
  private final List<Operand> out;

  private GroupwiseForward(GroupwiseNormalization op, List<Operand> in, List<Operand> out) {
    this.op = op;
    this.groups = op.groups(in.stream().map(Operand::spec).toList());
    this.in = in;
    this.out = out;
  }

  static void build(
      KernelBuilder builder, GroupwiseNormalization op, List<Operand> in, List<Operand> out) {
    GroupwiseForward forward =
        new GroupwiseForward(op, builder.rowMajorIn(in), builder.rowMajorOut(out));
    Split split = Split.of(forward.groups.count(), 1, builder.threads());
    Part[] parts =
        IntStream.range(0, split.parts())
            .mapToObj(part -> forward.new Part(builder.scratch(part)))
            .toArray(Part[]::new);
    builder.stage(parts.length, p -> parts[p].run(split.from(p), split.from(p + 1)));
  }

  private final class Part {
    private final Chunk data;
    private final Chunk gamma;
    private final Chunk beta;

    Part(Scratch scratch) {
      data = scratch.chunk(groups.length());
      int parameters = groups.allParameters();
      gamma = scratch.chunk(parameters);
      beta = op.centered() ? scratch.chunk(parameters) : new Chunk(parameters); // for good 0
    }

    void run(int from, int to) {
      load(gamma, in.get(1), 0);
      if (op.centered()) {
        load(beta, in.get(2), 0);
      }
      for (int group = from; group < to; group++) {
        load(data, in.getFirst(), (long) group * groups.length());
        normalize(group);
        Operand y = out.getFirst();
        long at = (long) group * groups.length();
        data.store(y, at, groups.length());
      }
    }

    private static void load(Chunk chunk, Operand from, long at) {
      chunk.load(from, at, chunk.values.length);
    }

    private void normalize(int group) {
      float[] x = data.values;
      int length = groups.length();
      if (op.centered()) {
        double mean = RunningSums.of(x, 0, length) / length;
        save(1, group, mean);
        subtract(x, mean, length);
      }
      double squares = RunningSums.ofProducts(x, x, 0, length) / length;
      double rstd = 1 / Math.sqrt(squares + op.epsilon());
      save(out.size() - 1, group, rstd);
      int first = groups.firstParameter(group);
      if (groups.run() == 1 && first == 0) {
        scale(x, (float) rstd, gamma.values, beta.values, length);
      } else {
        for (int p = 0; p < groups.parameters(); p++) {
          float shift = beta.values[first + p];
          scale(x, (float) rstd, gamma.values[first + p], shift, p * groups.run(), groups.run());
        }
      }
    }

    private void save(int output, int group, double value) {
      Operand to = out.get(output);
      Elements.set(to.region().data(), to.dtype(), group, value);
    }

    private static void subtract(float[] x, double mean, int count) {
      for (int i = 0; i < count; i++) {
        x[i] = (float) (x[i] - mean);
      }
    }

    /** The JIT vectorises it since all places are the same one. */
    private static void scale(float[] x, float rstd, float[] gamma, float[] beta, int count) {
      for (int i = 0; i < count; i++) {
        x[i] = gamma[i] * (x[i] * rstd) + beta[i];
      }
    }

    private static void scale(float[] x, float rstd, float gamma, float beta, int from, int count) {
      for (int i = from; i < from + count; i++) {
        x[i] = gamma * (x[i] * rstd) + beta;
      }
    }
  }
}
