package dev.halfcell.cpu.kernel;

import dev.halfcell.cpu.onednn.Argument;
import dev.halfcell.cpu.onednn.Argument.Role;
import dev.halfcell.cpu.onednn.Descriptor;
import dev.halfcell.cpu.onednn.OneDnn.Chosen;
import dev.halfcell.cpu.onednn.Primitive;
import dev.halfcell.cpu.onednn.Recipe;
import dev.halfcell.op.convolution.Conv2dGeometry;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.IntConsumer;

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
    int unit =
        SampleLoop.unit(Math.max(d.sampleOffset(1), dx.sampleOffset(1)), weight.spec().bytes());
    AtomicBoolean reorders = new AtomicBoolean();
    SampleUnits[] parts = new SampleUnits[samples.parts()];
    Arrays.setAll(
        parts,
        part -> SampleUnits.of(samples.size(part), unit, count -> some(weights, count, reorders)));
    builder.reorders(reorders.get() ? 1 : 0); // once, not for each part
    builder.early(weights::stage);
    builder.stage(SampleLoop.inUnits(samples, unit, (part, from, to) -> parts[part].run(from, to)));
  }

  private IntConsumer some(Weights weights, int count, AtomicBoolean reorders) {
    Descriptor from = Reorders.descriptor(builder, d, count);
    Descriptor plain = Reorders.descriptor(builder, dx, count);
    boolean padded = dx.spec().dim(1) < LANES;
    long[] sizes = Reorders.sizes(dx.spec().shape().tail().behind(count));
    Descriptor to = padded ? builder.onednn().any(builder.handles(), dx.dtype(), sizes) : plain;
    Recipe forward =
        builder.recipes().convolution(geometry, to, weights.any(d.dtype()), Descriptor.NONE, from);
    Recipe recipe =
        builder
            .recipes()
            .by(builder.kernels(geometry, weight, dx).inputGradient())
            .inputGradient(geometry, to, weights.any(d.dtype()), from, forward);
    builder.note(recipe.implementation());
    Descriptor chosen = builder.onednn().chosen(recipe, Chosen.DIFF_SRC);
    Argument result = dx.samples(Role.DIFF_SRC, plain);
    boolean direct = builder.onednn().same(chosen, plain);
    Argument computed =
        direct ? result : new Argument(Role.DIFF_SRC, chosen, builder.workspace(chosen.bytes()), 0);
    Primitive gradient =
        builder.primitive(
            recipe,
            d.samples(Role.DIFF_DST, from),
            weights.in(builder.onednn().chosen(recipe, Chosen.WEIGHTS)),
            computed);
    if (direct) {
      return gradient::run;
    }
    reorders.set(true);
    Primitive reorder = Reorders.primitive(builder, computed, result);
    return sample -> {
      gradient.run(sample);
      reorder.run(sample);
    };
  }
}
