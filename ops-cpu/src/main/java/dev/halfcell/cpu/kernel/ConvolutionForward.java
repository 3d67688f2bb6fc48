package dev.halfcell.cpu.kernel;

import dev.halfcell.cpu.onednn.Argument;
import dev.halfcell.cpu.onednn.Argument.Role;
import dev.halfcell.cpu.onednn.Descriptor;
import dev.halfcell.cpu.onednn.OneDnn.Chosen;
import dev.halfcell.cpu.onednn.Recipe;
import dev.halfcell.op.convolution.Conv2dGeometry;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.IntConsumer;

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
    int unit =
        SampleLoop.unit(Math.max(x.sampleOffset(1), y.sampleOffset(1)), weight.spec().bytes());
    SampleUnits[] parts = new SampleUnits[samples.parts()];
    Arrays.setAll(
        parts, part -> SampleUnits.of(samples.size(part), unit, count -> some(weights, count)));
    builder.early(weights::stage);
    builder.stage(SampleLoop.inUnits(samples, unit, (part, from, to) -> parts[part].run(from, to)));
  }

  private IntConsumer some(Weights weights, int count) {
    Descriptor image = Reorders.descriptor(builder, x, count);
    Descriptor result = Reorders.descriptor(builder, y, count);
    Descriptor row = bias.map(this::row).orElse(Descriptor.NONE);
    Recipe recipe = recipe(weights.any(x.dtype()), image, row, result);
    builder.note(recipe.implementation());
    List<Argument> arguments = new ArrayList<>();
    arguments.add(x.samples(Role.SRC, image));
    arguments.add(weights.in(builder.onednn().chosen(recipe, Chosen.WEIGHTS)));
    bias.ifPresent(b -> arguments.add(new Argument(Role.BIAS, row, b.region(), 0)));
    arguments.add(y.samples(Role.DST, result));
    return builder.primitive(recipe, arguments.toArray(Argument[]::new))::run;
  }

  private Recipe recipe(Descriptor any, Descriptor image, Descriptor row, Descriptor result) {
    return builder
        .recipes()
        .by(builder.kernels(geometry, weight, y).forward())
        .convolution(geometry, image, any, row, result);
  }

  private Descriptor row(Operand values) {
    return builder.onednn().dense(builder.handles(), values.dtype(), values.spec().dim(0));
  }
}
