package dev.halfcell.cpu.kernel;

import dev.halfcell.op.update.Clip;
import dev.halfcell.op.update.ClipByNorm;
import dev.halfcell.op.update.ClipByValue;
import dev.halfcell.plan.UpdateAll;
import dev.halfcell.plan.UpdateAll.Target;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.stream.IntStream;

/**
 * The end of a step over all parameters: a stage that unscales and checks every gradient, then
 * {@link RuleStages} that unscale and clip them and, only if all were finite, move parameters and
 * slots in place.
 */
final class UpdateKernel implements RuleStages.Gradients {
  private final Operand loss;
  private final Operand scale;
  private final List<Operand> out;
  private final Optional<Clip> clip;
  private final RuleStages rules;
  private final double[] squares;

  private UpdateKernel(
      KernelBuilder builder, UpdateAll update, List<Operand> in, List<Operand> out) {
    this.loss = in.get(0);
    this.scale = in.get(1);
    this.out = out;
    this.clip = update.clip();
    this.rules =
        new RuleStages(
            builder,
            IntStream.range(0, update.targets().size())
                .mapToObj(t -> moved(update, t, in))
                .toList(),
            this);
    this.squares = new double[rules.parts()];
  }

  private static RuleStages.Moved moved(UpdateAll update, int t, List<Operand> in) {
    Target target = update.targets().get(t);
    List<Operand> own = in.subList(update.first(t), update.first(t) + target.inputs());
    int state = 1 + target.slots();
    List<Operand> inPlace = own.subList(1, 1 + state);
    return new RuleStages.Moved(
        target.rule(), own.getFirst(), inPlace, inPlace, own.subList(1 + state, own.size()));
  }

  static void build(KernelBuilder builder, UpdateAll update, List<Operand> in, List<Operand> out) {
    UpdateKernel kernel = new UpdateKernel(builder, update, in, out);
    int parts = kernel.rules.parts();
    Chunk[] chunks = builder.chunks(parts);
    Squares[] sums = Squares.of(builder, parts);
    builder.stage(parts, part -> kernel.check(part, chunks[part], sums[part]));
    builder.stage(1, _ -> kernel.decide());
    kernel.rules.build(builder);
  }

  private void check(int part, Chunk chunk, Squares sum) {
    sum.clear();
    OptionalDouble reciprocal = reciprocal();
    rules.ranges(
        part,
        (gradient, from, to) -> {
          if (Squares.straight(gradient) && reciprocal.isPresent() && from < to) {
            int count = to - from;
            sum.add(gradient.address(from, count), (float) reciprocal.getAsDouble(), count);
            return;
          }
          for (int at = from; at < to; at += Chunk.SIZE) {
            int count = Math.min(Chunk.SIZE, to - at);
            unscaled(gradient, chunk, at, count);
            sum.add(chunk.values, count);
          }
        });
    squares[part] = sum.sum();
  }

  /** What unscales gradients, where a float is that. */
  private OptionalDouble reciprocal() {
    double reciprocal = 1 / Scalars.get(scale);
    return (float) reciprocal == reciprocal
        ? OptionalDouble.of(reciprocal)
        : OptionalDouble.empty();
  }

  private void unscaled(Operand gradient, Chunk chunk, int at, int count) {
    double reciprocal = 1 / Scalars.get(scale);
    chunk.load(gradient, at, count);
    multiply(chunk.values, reciprocal, count);
  }

  /** A product of floats is the same whether it is rounded from double or at once. */
  private static void multiply(float[] values, double by, int count) {
    float factor = (float) by;
    if (factor == by) {
      for (int i = 0; i < count; i++) {
        values[i] *= factor;
      }
    } else {
      for (int i = 0; i < count; i++) {
        values[i] = (float) (values[i] * by);
      }
    }
  }

  /** The sum of all squares is finite exactly where all gradients are. */
  private void decide() {
    double sum = 0;
    for (double part : squares) {
      sum += part;
    }
    boolean finite = Double.isFinite(sum) && Double.isFinite(Scalars.get(loss));
    Scalars.set(out.getFirst(), finite ? 1 : 0);
    Scalars.set(out.getLast(), Math.sqrt(sum));
  }

  @Override
  public boolean accepted() {
    return Scalars.get(out.getFirst()) != 0;
  }

  @Override
  public void load(Operand gradient, Chunk into, int at, int count) {
    unscaled(gradient, into, at, count);
    if (clip.isPresent()) {
      clip(clip.get(), into.values, count);
    }
  }

  @Override
  public OptionalDouble factor() {
    return clip.isPresent() ? OptionalDouble.empty() : reciprocal();
  }

  private void clip(Clip by, float[] values, int count) {
    switch (by) {
      case ClipByNorm norm ->
          UpdateKernels.scale(values, values, count, norm.factor(Scalars.get(out.getLast())));
      case ClipByValue(double most) -> UpdateKernels.bound(values, values, count, most);
    }
  }
}
