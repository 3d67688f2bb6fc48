package dev.halfcell.cpu.kernel;

import dev.halfcell.cpu.onednn.Argument;
import dev.halfcell.cpu.onednn.Argument.Role;
import dev.halfcell.cpu.onednn.Descriptor;
import dev.halfcell.cpu.onednn.OneDnn.Chosen;
import dev.halfcell.cpu.onednn.Primitive;
import dev.halfcell.cpu.onednn.Recipe;
import dev.halfcell.cpu.onednn.Region;
import dev.halfcell.op.convolution.Conv2dGeometry;
import dev.halfcell.tensor.DType;
import dev.halfcell.tensor.TensorSpec;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The gradients of a convolution by its weight and bias, in FP32. Each part sums over its own
 * samples; then the parts are added in order and rounded to what is asked for.
 */
record ConvolutionParameterGradients(
    KernelBuilder builder,
    Conv2dGeometry geometry,
    Operand d,
    Operand x,
    Operand dweight,
    Optional<Operand> dbias) {
  void build() {
    Split samples = Split.of(d.spec().dim(0), 1, builder.threads());
    List<Operand> byWeight = partials(dweight, samples.parts());
    List<Operand> byBias = dbias.map(b -> partials(b, samples.parts())).orElse(List.of());
    Runnable[] parts = new Runnable[samples.parts()];
    for (int part = 0; part < parts.length; part++) {
      Optional<Operand> bias = byBias.isEmpty() ? Optional.empty() : Optional.of(byBias.get(part));
      parts[part] = part(samples.from(part), samples.size(part), byWeight.get(part), bias);
    }
    builder.stage(parts.length, part -> parts[part].run());
    builder.reorders(1); // each part's dweight, from the layout that oneDNN chose
    PartialSums.add(builder, byWeight, dweight);
    dbias.ifPresent(b -> PartialSums.add(builder, byBias, b));
  }

  private List<Operand> partials(Operand total, int parts) {
    TensorSpec spec = total.spec().as(DType.FP32);
    List<Operand> partials = new ArrayList<>();
    for (int part = 0; part < parts; part++) {
      partials.add(builder.workspace(spec, Layout.ROW_MAJOR));
    }
    return partials;
  }

  private Runnable part(int first, int count, Operand partial, Optional<Operand> bias) {
    Descriptor image = Reorders.descriptor(builder, x, count);
    Descriptor from = Reorders.descriptor(builder, d, count);
    Weights weights = new Weights(builder, partial, geometry.groups());
    Recipe forward =
        builder
            .recipes()
            .convolution(geometry, image, weights.any(x.dtype()), Descriptor.NONE, from);
    Descriptor row = bias.map(this::row).orElse(Descriptor.NONE);
    Recipe recipe =
        builder
            .recipes()
            .weightGradient(geometry, image, weights.any(DType.FP32), row, from, forward);
    builder.note(recipe.implementation());
    Descriptor chosen = builder.onednn().chosen(recipe, Chosen.DIFF_WEIGHTS);
    Region ordered = builder.workspace(chosen.bytes());
    List<Argument> arguments = new ArrayList<>();
    arguments.add(new Argument(Role.SRC, image, x.region(), x.sampleOffset(first)));
    arguments.add(new Argument(Role.DIFF_DST, from, d.region(), d.sampleOffset(first)));
    arguments.add(new Argument(Role.DIFF_WEIGHTS, chosen, ordered, 0));
    bias.ifPresent(b -> arguments.add(new Argument(Role.DIFF_BIAS, row, b.region(), 0)));
    Primitive gradient = builder.primitive(recipe, arguments.toArray(Argument[]::new));
    Primitive plain = rowMajor(chosen, ordered, partial);
    return () -> {
      gradient.run();
      plain.run();
    };
  }

  private Primitive rowMajor(Descriptor chosen, Region ordered, Operand partial) {
    Descriptor plain =
        builder
            .onednn()
            .dense(
                builder.handles(),
                DType.FP32,
                Weights.sizes(partial.spec().shape(), geometry.groups()));
    return builder.primitive(
        builder.recipes().reorder(chosen, plain),
        new Argument(Role.SRC, chosen, ordered, 0),
        new Argument(Role.DST, plain, partial.region(), 0));
  }

  private Descriptor row(Operand values) {
    return builder.onednn().dense(builder.handles(), DType.FP32, values.spec().dim(0));
  }
}
