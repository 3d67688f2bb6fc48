package dev.halfcell.cpu.kernel;

import dev.halfcell.cpu.plan.UpdateAll;
import dev.halfcell.cpu.plan.UpdateAll.Target;
import dev.halfcell.op.update.Update;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

/**
 * The end of a step over all parameters: a stage that unscales and checks every gradient, then one
 * that unscales them again and, only if all were finite, moves parameters and slots in place. The
 * elements of all parameters together are shared out evenly.
 */
final class UpdateKernel {
  private final KernelBuilder builder;
  private final Operand loss;
  private final Operand scale;
  private final List<Operand> out;
  private final List<Parameter> parameters = new ArrayList<>();
  private final double[] squares;
  private final Split split;

  /** One target; {@code state} is the parameter and its slots, {@code first} counts elements. */
  private record Parameter(
      Update rule,
      Operand gradient,
      List<Operand> state,
      List<Operand> scalars,
      int first,
      int size) {}

  UpdateKernel(KernelBuilder builder, UpdateAll update, List<Operand> in, List<Operand> out) {
    this.builder = builder;
    this.loss = in.get(0);
    this.scale = in.get(1);
    this.out = out;
    int total = 0;
    for (int t = 0; t < update.targets().size(); t++) {
      Target target = update.targets().get(t);
      List<Operand> own = in.subList(update.first(t), update.first(t) + target.inputs());
      Parameter parameter =
          new Parameter(
              target.rule(),
              own.getFirst(),
              own.subList(1, 2 + target.slots()),
              own.subList(2 + target.slots(), own.size()),
              total,
              Flat.size(own.getFirst()));
      parameters.add(parameter);
      total += parameter.size();
    }
    split = Split.of(total, Chunk.SIZE, builder.threads());
    squares = new double[split.parts()];
  }

  void build() {
    Worker[] workers =
        IntStream.range(0, split.parts()).mapToObj(Worker::new).toArray(Worker[]::new);
    builder.stage(workers.length, part -> workers[part].check());
    builder.stage(workers.length, part -> workers[part].move());
  }

  private double reciprocal() {
    return 1 / Scalars.get(scale);
  }

  /** The sum of all squares: finite exactly where all gradients are. */
  private double norm2() {
    double sum = 0;
    for (double part : squares) {
      sum += part;
    }
    return sum;
  }

  private boolean finite() {
    return Double.isFinite(norm2()) && Double.isFinite(Scalars.get(loss));
  }

  /** One part: a range of all elements, with chunks of its own. */
  private final class Worker {
    private static final int MOST_TENSORS = 4; // Adam's parameter, two slots and gradient

    private final int part;
    private final Chunk[] chunks =
        IntStream.range(0, MOST_TENSORS).mapToObj(_ -> new Chunk()).toArray(Chunk[]::new);
    private final float[][][] in = new float[MOST_TENSORS + 1][][];
    private final float[][][] moved = new float[MOST_TENSORS + 1][][];

    Worker(int part) {
      this.part = part;
      for (int count = 1; count <= MOST_TENSORS; count++) {
        in[count] =
            IntStream.range(0, count).mapToObj(i -> chunks[i].values).toArray(float[][]::new);
        moved[count] =
            IntStream.range(0, count - 1).mapToObj(i -> chunks[i].values).toArray(float[][]::new);
      }
    }

    private int from(Parameter parameter) {
      return Math.max(0, split.from(part) - parameter.first());
    }

    private int to(Parameter parameter) {
      return Math.min(parameter.size(), split.from(part + 1) - parameter.first());
    }

    void check() {
      double reciprocal = reciprocal();
      double sum = 0;
      for (Parameter parameter : parameters) {
        for (int at = from(parameter); at < to(parameter); at += Chunk.SIZE) {
          int count = Math.min(Chunk.SIZE, to(parameter) - at);
          unscaled(parameter.gradient(), chunks[0], at, count, reciprocal);
          sum += GradientChecks.squares(chunks[0].values, count);
        }
      }
      squares[part] = sum;
    }

    private static void unscaled(
        Operand gradient, Chunk chunk, int at, int count, double reciprocal) {
      chunk.load(gradient.region().data(), gradient.dtype(), at, count);
      float[] values = chunk.values;
      for (int i = 0; i < count; i++) {
        values[i] = (float) (values[i] * reciprocal);
      }
    }

    void move() {
      boolean finite = finite();
      if (part == 0) {
        Scalars.set(out.getFirst(), finite ? 1 : 0);
        Scalars.set(out.getLast(), Math.sqrt(norm2()));
      }
      if (!finite) {
        return;
      }
      double reciprocal = reciprocal();
      for (Parameter parameter : parameters) {
        if (from(parameter) < to(parameter)) {
          move(parameter, UpdateRules.now(parameter.rule(), parameter.scalars()), reciprocal);
        }
      }
    }

    private void move(Parameter parameter, UpdateRules.Now now, double reciprocal) {
      List<Operand> state = parameter.state();
      int tensors = state.size() + 1;
      for (int at = from(parameter); at < to(parameter); at += Chunk.SIZE) {
        int count = Math.min(Chunk.SIZE, to(parameter) - at);
        for (int i = 0; i < state.size(); i++) {
          chunks[i].load(state.get(i).region().data(), state.get(i).dtype(), at, count);
        }
        unscaled(parameter.gradient(), chunks[tensors - 1], at, count, reciprocal);
        UpdateRules.run(now, in[tensors], moved[tensors], count);
        for (int i = 0; i < state.size(); i++) {
          chunks[i].store(state.get(i).region().data(), state.get(i).dtype(), at, count);
        }
      }
    }
  }
}
