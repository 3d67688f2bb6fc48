package dev.halfcell.cpu.kernel;

import java.util.List;

/** Adds what parts have summed up. */
final class PartialSums {
  private PartialSums() {}

  /** Adds the stage that adds them in order and rounds the sums to what {@code total} holds. */
  static void add(KernelBuilder builder, List<Operand> partials, Operand total) {
    Flat.stage(
        builder,
        partials,
        List.of(total),
        (in, out, count, _) -> {
          float[] sum = out[0];
          System.arraycopy(in[0], 0, sum, 0, count);
          for (int part = 1; part < in.length; part++) {
            float[] term = in[part];
            for (int i = 0; i < count; i++) {
              sum[i] += term[i];
            }
          }
        });
  }
}
