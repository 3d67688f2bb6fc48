package dev.halfcell.cpu.kernel;

import dev.halfcell.cpu.onednn.Argument;
import dev.halfcell.cpu.onednn.Argument.Role;
import dev.halfcell.cpu.onednn.Descriptor;
import dev.halfcell.cpu.onednn.Primitive;
import dev.halfcell.tensor.Shape;
import dev.halfcell.tensor.TensorSpec;
import java.util.Arrays;

/** Changes of layout: by oneDNN, those of 16-bit numbers by {@link Transpose}. */
final class Reorders {
  private Reorders() {}

  /** Copies the elements of {@code from} to {@code to}, which differ in layout alone. */
  static void stage(KernelBuilder builder, Operand from, Operand to) {
    Split samples = Split.of(from.spec().dim(0), 1, builder.threads());
    if (from.dtype().half()) {
      transpose(builder, samples, from, to);
    } else {
      reorder(builder, samples, from, to);
    }
  }

  private static void transpose(KernelBuilder builder, Split samples, Operand from, Operand to) {
    Transpose[] parts = new Transpose[samples.parts()];
    Arrays.setAll(parts, _ -> new Transpose(from, to));
    builder.stage(
        parts.length,
        part -> {
          for (int n = samples.from(part); n < samples.from(part + 1); n++) {
            parts[part].run(n);
          }
        });
  }

  private static void reorder(KernelBuilder builder, Split samples, Operand from, Operand to) {
    Primitive[] parts = new Primitive[samples.parts()];
    for (int part = 0; part < parts.length; part++) {
      int first = samples.from(part);
      Descriptor source = descriptor(builder, from, samples.size(part));
      Descriptor target = descriptor(builder, to, samples.size(part));
      parts[part] =
          builder.primitive(
              builder.recipes().reorder(source, target),
              new Argument(Role.SRC, source, from.region(), from.sampleOffset(first)),
              new Argument(Role.DST, target, to.region(), to.sampleOffset(first)));
    }
    builder.stage(parts.length, part -> parts[part].run());
  }

  /** Copies what one argument says to where another one says. */
  static Primitive primitive(KernelBuilder builder, Argument from, Argument to) {
    return builder.primitive(
        builder.recipes().reorder(from.descriptor(), to.descriptor()),
        new Argument(Role.SRC, from.descriptor(), from.region(), from.offset(), from.step()),
        new Argument(Role.DST, to.descriptor(), to.region(), to.offset(), to.step()));
  }

  /** The layout of {@code count} samples of an operand. */
  static Descriptor descriptor(KernelBuilder builder, Operand operand, int count) {
    TensorSpec spec = operand.spec();
    Shape shape = spec.shape().tail().behind(count);
    return builder
        .onednn()
        .strided(builder.handles(), spec.dtype(), sizes(shape), operand.layout().strides(shape));
  }

  static long[] sizes(Shape shape) {
    return shape.dims().stream().mapToLong(Integer::longValue).toArray();
  }
}
