package dev.halfcell.cpu.kernel;

import dev.halfcell.cpu.onednn.Argument;
import dev.halfcell.cpu.onednn.Argument.Role;
import dev.halfcell.cpu.onednn.Descriptor;
import dev.halfcell.cpu.onednn.OneDnn.Chosen;
import dev.halfcell.cpu.onednn.Primitive;
import dev.halfcell.cpu.onednn.Recipe;
import dev.halfcell.op.convolution.Conv2dGeometry;

/**
 * The gradient of a convolution by its input, on images that lie channels last. Where the input has
 * fewer channels than a vector has lanes, oneDNN is let choose a padded layout for dx, in which it
 * is much faster, and dx is reordered.
 */
record ConvolutionInputGradient(
    KernelBuilder builder, Conv2dGeometry geometry, Operand d, Operand weight, Operand dx) {
  private static final int LANES = 16;

  void build() {
    Weights weights = new Weights(builder, weight, geometry.groups());
    Split samples = Split.of(d.spec().dim(0), 1, builder.threads());
    Runnable[] parts = new Runnable[samples.parts()];
    for (int part = 0; part < parts.length; part++) {
      parts[part] = part(weights, samples.from(part), samples.size(part));
    }
    weights.stage();
    builder.stage(parts.length, part -> parts[part].run());
  }

  private Runnable part(Weights weights, int first, int count) {
    Descriptor from = Reorders.descriptor(builder, d, count);
    Descriptor plain = Reorders.descriptor(builder, dx, count);
    boolean padded = dx.spec().dim(1) < LANES;
    long[] sizes = Reorders.sizes(dx.spec().shape().tail().behind(count));
    Descriptor to = padded ? builder.onednn().any(builder.handles(), dx.dtype(), sizes) : plain;
    Recipe forward =
        builder.recipes().convolution(geometry, to, weights.any(d.dtype()), Descriptor.NONE, from);
    Recipe recipe =
        builder.recipes().inputGradient(geometry, to, weights.any(d.dtype()), from, forward);
    builder.note(recipe.implementation());
    Descriptor chosen = builder.onednn().chosen(recipe, Chosen.DIFF_SRC);
    Argument result = new Argument(Role.DIFF_SRC, plain, dx.region(), dx.sampleOffset(first));
    boolean direct = builder.onednn().same(chosen, plain);
    builder.reorders(direct || first > 0 ? 0 : 1); // once, not for each part
    Argument computed =
        direct ? result : new Argument(Role.DIFF_SRC, chosen, builder.workspace(chosen.bytes()), 0);
    Primitive gradient =
        builder.primitive(
            recipe,
            new Argument(Role.DIFF_DST, from, d.region(), d.sampleOffset(first)),
            weights.in(builder.onednn().chosen(recipe, Chosen.WEIGHTS)),
            computed);
    return direct ? gradient::run : then(gradient, Reorders.primitive(builder, computed, result));
  }

  private static Runnable then(Primitive first, Primitive second) {
    return () -> {
      first.run();
      second.run();
    };
  }
}
