package dev.halfcell.cpu.kernel;

import java.util.List;

/** Whether all gradients are finite, and their common norm, summed in double. */
final class GradientChecks {
  private GradientChecks() {}

  static void build(KernelBuilder builder, List<Operand> in, List<Operand> out) {
    List<Operand> gradients = in.subList(1, in.size());
    double[][] squares = new double[gradients.size()][];
    Chunk[] chunks = builder.chunks(builder.threads());
    for (int i = 0; i < squares.length; i++) {
      squares[i] = squares(builder, gradients.get(i), chunks);
    }
    builder.stage(
        1,
        _ -> {
          double sum = 0;
          for (double[] parts : squares) {
            for (double part : parts) {
              sum += part;
            }
          }
          boolean finite = Double.isFinite(sum) && Double.isFinite(Scalars.get(in.getFirst()));
          Scalars.set(out.getFirst(), finite ? 1 : 0);
          Scalars.set(out.getLast(), Math.sqrt(sum));
        });
  }

  /**
   * Adds a stage that sums the squares of a tensor, part by part, into what it returns. A square of
   * a finite float is far from leaving double, so that the sum is finite exactly where all elements
   * are.
   */
  private static double[] squares(KernelBuilder builder, Operand gradient, Chunk[] chunks) {
    Split split = Split.of(Flat.size(gradient), Chunk.SIZE, builder.threads());
    double[] sums = new double[split.parts()];
    Squares[] parts = Squares.of(builder, split.parts());
    builder.stage(
        sums.length,
        part -> {
          parts[part].clear();
          parts[part].add(gradient, split.from(part), split.from(part + 1), chunks[part]);
          sums[part] = parts[part].sum();
        });
    return sums;
  }
}
