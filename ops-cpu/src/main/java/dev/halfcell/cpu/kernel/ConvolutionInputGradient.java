package dev.halfcell.cpu.kernel;

import dev.halfcell.cpu.onednn.Argument;
import dev.halfcell.cpu.onednn.Argument.Role;
import dev.halfcell.cpu.onednn.Descriptor;
import dev.halfcell.cpu.onednn.OneDnn.Chosen;
import dev.halfcell.cpu.onednn.Primitive;
import dev.halfcell.cpu.onednn.Recipe;
import dev.halfcell.op.convolution.Conv2dGeometry;

/** The gradient of a convolution by its input, on images that lie channels last. */
record ConvolutionInputGradient(
    KernelBuilder builder, Conv2dGeometry geometry, Operand d, Operand weight, Operand dx) {
  void build() {
    Weights weights = new Weights(builder, weight, geometry.groups());
    Split samples = Split.of(d.spec().dim(0), 1, builder.threads());
    Primitive[] parts = new Primitive[samples.parts()];
    for (int part = 0; part < parts.length; part++) {
      parts[part] = part(weights, samples.from(part), samples.size(part));
    }
    weights.stage();
    builder.stage(parts.length, part -> parts[part].run());
  }

  private Primitive part(Weights weights, int first, int count) {
    Descriptor from = Reorders.descriptor(builder, d, count);
    Descriptor to = Reorders.descriptor(builder, dx, count);
    Recipe forward =
        builder.recipes().convolution(geometry, to, weights.any(d.dtype()), Descriptor.NONE, from);
    Recipe recipe =
        builder.recipes().inputGradient(geometry, to, weights.any(d.dtype()), from, forward);
    builder.note(recipe.implementation());
    return builder.primitive(
        recipe,
        new Argument(Role.DIFF_DST, from, d.region(), d.sampleOffset(first)),
        weights.in(builder.onednn().chosen(recipe, Chosen.WEIGHTS)),
        new Argument(Role.DIFF_SRC, to, dx.region(), dx.sampleOffset(first)));
  }
}
