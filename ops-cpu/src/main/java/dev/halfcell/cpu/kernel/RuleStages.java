package dev.halfcell.cpu.kernel;

import dev.halfcell.op.update.UpdateRule;
import dev.halfcell.tensor.DType;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalDouble;
import java.util.stream.IntStream;

/**
 * Moves parameters by their rules. The elements of all of them together are shared out evenly; a
 * rule with a {@link TrustRatio} gets a stage before, in which its norms are summed.
 */
final class RuleStages {
  /** Where the gradients come from that the rules see. */
  interface Gradients {
    /** Whether anything may move at all. */
    boolean accepted();

    /** Fetches {@code count} elements of a gradient from position {@code at} on. */
    void load(Operand gradient, Chunk into, int at, int count);

    /** The float that elements are multiplied with, if that is all that is done to them. */
    OptionalDouble factor();
  }

  /** Gradients as they are. */
  record Given() implements Gradients {
    @Override
    public boolean accepted() {
      return true;
    }

    @Override
    public void load(Operand gradient, Chunk into, int at, int count) {
      into.load(gradient, at, count);
    }

    @Override
    public OptionalDouble factor() {
      return OptionalDouble.of(1);
    }
  }

  /**
   * One parameter.
   *
   * @param before the parameter and its slots
   * @param after where their new values go: the same places, or others
   * @param scalars what the rule takes behind the gradient
   */
  record Moved(
      UpdateRule rule,
      Operand gradient,
      List<Operand> before,
      List<Operand> after,
      List<Operand> scalars) {
    /** Whether floats are replaced where they lie. */
    boolean inPlace() {
      return before.equals(after)
          && gradient.dtype() == DType.FP32
          && before.stream().allMatch(each -> each.dtype() == DType.FP32);
    }
  }

  /**
   * A parameter, shared out to the parts from {@code first} on: so that a thread moves what the
   * thread of the same number multiplies with, which may still lie in its caches.
   */
  private record Placed(Moved moved, Split split, int first) {
    int from(int part) {
      return split.from(Math.clamp(part - first, 0, split.parts()));
    }
  }

  /** How many elements stay together. */
  private static final int UNIT = 1024;

  private static final boolean VECTORS = VectorModule.usable();

  private final List<Placed> parameters = new ArrayList<>();
  private final Gradients gradients;
  private final int parts;
  private final double[][][] norms; // of each part, for each parameter: two sums of squares

  RuleStages(KernelBuilder builder, List<Moved> moved, Gradients gradients) {
    this.gradients = gradients;
    int total = moved.stream().mapToInt(one -> Flat.size(one.gradient())).sum();
    parts = Split.of(total, Chunk.SIZE, builder.threads()).parts();
    for (Moved one : moved) {
      Split split = Split.of(Flat.size(one.gradient()), UNIT, parts);
      parameters.add(new Placed(one, split, split.parts() == 1 ? parameters.size() % parts : 0));
    }
    norms = new double[parts][moved.size()][2];
  }

  /** How many parts the elements are shared out to. */
  int parts() {
    return parts;
  }

  void build(KernelBuilder builder) {
    Part[] all =
        IntStream.range(0, parts)
            .mapToObj(part -> new Part(part, builder.scratch(part)))
            .toArray(Part[]::new);
    if (parameters.stream().anyMatch(p -> TrustRatio.needed(p.moved().rule()))) {
      builder.stage(parts, part -> all[part].sumNorms());
    }
    builder.stage(parts, part -> all[part].move());
  }

  /** What is done with a range of a gradient. */
  @FunctionalInterface
  interface Range {
    void run(Operand gradient, int from, int to);
  }

  /** Runs {@code each} on the ranges of all gradients that are in a part. */
  void ranges(int part, Range each) {
    for (Placed parameter : parameters) {
      each.run(parameter.moved().gradient(), parameter.from(part), parameter.from(part + 1));
    }
  }

  private double trust(int parameter, TrustRatio ratio) {
    double first = 0;
    double second = 0;
    for (double[][] part : norms) {
      first += part[parameter][0];
      second += part[parameter][1];
    }
    return ratio.of(first, second);
  }

  /** One part: a range of all elements, with chunks of its own. */
  private final class Part {
    private static final int MOST_TENSORS = 5; // centered RMSProp with momentum, and its gradient

    private final int part;
    private final Chunk[] chunks;
    private final float[][][] values = new float[MOST_TENSORS + 1][][];

    Part(int part, Scratch scratch) {
      this.part = part;
      chunks =
          IntStream.range(0, MOST_TENSORS).mapToObj(_ -> scratch.chunk()).toArray(Chunk[]::new);
      for (int count = 0; count <= MOST_TENSORS; count++) {
        values[count] =
            IntStream.range(0, count).mapToObj(i -> chunks[i].values).toArray(float[][]::new);
      }
    }

    void sumNorms() {
      if (!gradients.accepted()) {
        return;
      }
      for (int p = 0; p < parameters.size(); p++) {
        norms[part][p][0] = 0;
        norms[part][p][1] = 0;
        Moved moved = parameters.get(p).moved();
        if (TrustRatio.needed(moved.rule())) {
          TrustRatio ratio = TrustRatio.of(moved.rule(), moved.scalars());
          int to = parameters.get(p).from(part + 1);
          for (int at = parameters.get(p).from(part); at < to; at += Chunk.SIZE) {
            int count = Math.min(Chunk.SIZE, to - at);
            ratio.add(load(moved, at, count), count, norms[part][p]);
          }
        }
      }
    }

    void move() {
      if (!gradients.accepted()) {
        return;
      }
      for (int p = 0; p < parameters.size(); p++) {
        Placed parameter = parameters.get(p);
        if (parameter.from(part) < parameter.from(part + 1)) {
          Moved moved = parameter.moved();
          double trust = trust(p, TrustRatio.of(moved.rule(), moved.scalars()));
          move(parameter, RuleLoop.of(moved.rule(), moved.scalars(), trust));
        }
      }
    }

    private void move(Placed parameter, RuleLoop loop) {
      if (!moveStraight(parameter, loop)) {
        moveByChunks(parameter, loop);
      }
    }

    /** Where the elements lie; false, and nothing is done, where that cannot be. */
    private boolean moveStraight(Placed parameter, RuleLoop loop) {
      Moved moved = parameter.moved();
      OptionalDouble factor = gradients.factor();
      if (!VECTORS || !moved.inPlace() || factor.isEmpty()) {
        return false;
      }
      int at = parameter.from(part);
      int count = parameter.from(part + 1) - at;
      long w = moved.before().getFirst().address(at, count);
      long gradient = moved.gradient().address(at, count);
      float by = (float) factor.getAsDouble();
      return switch (loop) {
        case RuleLoop.Sgd sgd -> {
          RuleVectors.run(sgd, w, gradient, by, count);
          yield true;
        }
        case RuleLoop.Momentum momentum -> {
          long velocity = moved.before().get(1).address(at, count);
          RuleVectors.run(momentum, w, velocity, gradient, by, count);
          yield true;
        }
        case RuleLoop.Adam _,
            RuleLoop.Lamb _,
            RuleLoop.Lars _,
            RuleLoop.RmsProp _,
            RuleLoop.Adagrad _ ->
            false;
      };
    }

    private void moveByChunks(Placed parameter, RuleLoop loop) {
      List<Operand> after = parameter.moved().after();
      int to = parameter.from(part + 1);
      for (int at = parameter.from(part); at < to; at += Chunk.SIZE) {
        int count = Math.min(Chunk.SIZE, to - at);
        loop.run(load(parameter.moved(), at, count), values[after.size()], count);
        for (int i = 0; i < after.size(); i++) {
          chunks[i].store(after.get(i), at, count);
        }
      }
    }

    /** The parameter, its slots and its gradient. */
    private float[][] load(Moved moved, int at, int count) {
      List<Operand> before = moved.before();
      for (int i = 0; i < before.size(); i++) {
        chunks[i].load(before.get(i), at, count);
      }
      gradients.load(moved.gradient(), chunks[before.size()], at, count);
      return values[before.size() + 1];
    }
  }
}
