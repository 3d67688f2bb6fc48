package dev.halfcell.cpu.kernel;

import java.util.ArrayList;
import java.util.List;

/** The largest magnitude of all elements of several tensors; a NaN wins over all. */
final class Magnitudes {
  private Magnitudes() {}

  static void build(KernelBuilder builder, List<Operand> in, Operand out) {
    List<float[]> largest = new ArrayList<>();
    Chunk[] chunks = builder.chunks(builder.threads());
    in.forEach(tensor -> largest.add(largest(builder, tensor, chunks)));
    builder.stage(
        1,
        _ -> {
          float all = 0;
          for (float[] parts : largest) {
            for (float part : parts) {
              all = Math.max(all, part);
            }
          }
          Scalars.set(out, all);
        });
  }

  /** Adds a stage that finds the largest of a tensor, part by part, into what it returns. */
  private static float[] largest(KernelBuilder builder, Operand tensor, Chunk[] chunks) {
    Split split = Split.of(Flat.size(tensor), Chunk.SIZE, builder.threads());
    float[] parts = new float[split.parts()];
    builder.stage(
        parts.length,
        part -> {
          float largest = 0;
          for (int at = split.from(part); at < split.from(part + 1); at += Chunk.SIZE) {
            int count = Math.min(Chunk.SIZE, split.from(part + 1) - at);
            chunks[part].load(tensor, at, count);
            largest = Math.max(largest, largest(chunks[part].values, count));
          }
          parts[part] = largest;
        });
    return parts;
  }

  /** In four running maxima, for one would wait for itself at every step. */
  private static float largest(float[] values, int count) {
    float a = 0;
    float b = 0;
    float c = 0;
    float d = 0;
    int i = 0;
    for (; i + 3 < count; i += 4) {
      a = Math.max(a, Math.abs(values[i]));
      b = Math.max(b, Math.abs(values[i + 1]));
      c = Math.max(c, Math.abs(values[i + 2]));
      d = Math.max(d, Math.abs(values[i + 3]));
    }
    for (; i < count; i++) {
      a = Math.max(a, Math.abs(values[i]));
    }
    return Math.max(Math.max(a, b), Math.max(c, d));
  }
}
