package dev.halfcell.cpu.kernel;

import dev.halfcell.cpu.onednn.Argument;
import dev.halfcell.cpu.onednn.Argument.Role;
import dev.halfcell.cpu.onednn.Descriptor;
import dev.halfcell.cpu.onednn.OneDnn.Chosen;
import dev.halfcell.cpu.onednn.Primitive;
import dev.halfcell.cpu.onednn.Recipe;
import dev.halfcell.op.convolution.Conv2dGeometry;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** y = x * weight + bias on images that lie channels last. */
record ConvolutionForward(
    KernelBuilder builder,
    Conv2dGeometry geometry,
    Operand x,
    Operand weight,
    Optional<Operand> bias,
    Operand y) {
  void build() {
    Weights weights = new Weights(builder, weight, geometry.groups());
    Split samples = Split.of(x.spec().dim(0), 1, builder.threads());
    Primitive[] parts = new Primitive[samples.parts()];
    for (int part = 0; part < parts.length; part++) {
      parts[part] = part(weights, samples.from(part), samples.size(part));
    }
    weights.stage();
    builder.stage(parts.length, part -> parts[part].run());
  }

  private Primitive part(Weights weights, int first, int count) {
    Descriptor image = Reorders.descriptor(builder, x, count);
    Descriptor result = Reorders.descriptor(builder, y, count);
    Descriptor row = bias.map(this::row).orElse(Descriptor.NONE);
    Recipe recipe =
        builder.recipes().convolution(geometry, image, weights.any(x.dtype()), row, result);
    builder.note(recipe.implementation());
    List<Argument> arguments = new ArrayList<>();
    arguments.add(new Argument(Role.SRC, image, x.region(), x.sampleOffset(first)));
    arguments.add(weights.in(builder.onednn().chosen(recipe, Chosen.WEIGHTS)));
    bias.ifPresent(b -> arguments.add(new Argument(Role.BIAS, row, b.region(), 0)));
    arguments.add(new Argument(Role.DST, result, y.region(), y.sampleOffset(first)));
    return builder.primitive(recipe, arguments.toArray(Argument[]::new));
  }

  private Descriptor row(Operand values) {
    return builder.onednn().dense(builder.handles(), values.dtype(), values.spec().dim(0));
  }
}
