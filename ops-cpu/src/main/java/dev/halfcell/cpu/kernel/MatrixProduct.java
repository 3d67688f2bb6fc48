package dev.halfcell.cpu.kernel;

import dev.halfcell.cpu.onednn.Argument;
import dev.halfcell.cpu.onednn.Argument.Role;
import dev.halfcell.cpu.onednn.Descriptor;
import dev.halfcell.cpu.onednn.OneDnn.Chosen;
import dev.halfcell.cpu.onednn.Primitive;
import dev.halfcell.cpu.onednn.Recipe;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;

/** c = a · b + bias. All have as many axes. */
record MatrixProduct(Matrices a, Matrices b, Optional<Matrices> bias, Matrices c) {
  /** A product with no bias. */
  static MatrixProduct of(Matrices a, Matrices b, Matrices c) {
    return new MatrixProduct(a, b, Optional.empty(), c);
  }

  /**
   * The same as products of at most one leading axis, all of the same sizes: neighbours along which
   * the same operands are repeated become one axis, and of what is left all but the last is walked
   * through. (Of several leading axes, oneDNN 3.11 mixes up matrices where some are repeated.)
   */
  List<MatrixProduct> flat() {
    for (int axis = 0; axis < c.rank() - 2; axis++) {
      if (c.size(axis) == 1) {
        int one = axis;
        return each(x -> x.without(one)).flat();
      }
      if (axis < c.rank() - 3 && repeatsAlike(axis)) {
        int outer = axis;
        return each(x -> x.joined(outer)).flat();
      }
    }
    return c.rank() <= 3
        ? List.of(this)
        : IntStream.range(0, c.size(0))
            .boxed()
            .flatMap(i -> part(0, i, 1).each(x -> x.without(0)).flat().stream())
            .toList();
  }

  /** Whether the next axis, longer than 1 too, repeats what this axis does. */
  private boolean repeatsAlike(int axis) {
    return c.size(axis + 1) != 1
        && (a.size(axis) == 1) == (a.size(axis + 1) == 1)
        && (b.size(axis) == 1) == (b.size(axis + 1) == 1);
  }

  private MatrixProduct each(UnaryOperator<Matrices> change) {
    return MatrixProduct.of(change.apply(a), change.apply(b), change.apply(c));
  }

  /** The axis of c to share out; it has at most one leading axis. */
  int shared(int threads) {
    int rows = c.rank() - 2;
    if (rows == 1 && c.size(0) >= threads) {
      return 0;
    }
    return c.size(rows) >= c.size(rows + 1) ? rows : rows + 1;
  }

  MatrixProduct part(int axis, int from, int count) {
    int rows = c.rank() - 2;
    return new MatrixProduct(
        axis == rows + 1 ? a : a.part(axis, from, count),
        axis == rows ? b : b.part(axis, from, count),
        axis == rows ? bias : bias.map(x -> x.part(axis, from, count)),
        c.part(axis, from, count));
  }

  Primitive primitive(KernelBuilder builder) {
    Descriptor right = b.descriptor(builder);
    return primitive(builder, right, _ -> b.argument(Role.WEIGHTS, right), false);
  }

  /** c = c + a · b + bias. */
  Primitive added(KernelBuilder builder) {
    Descriptor right = b.descriptor(builder);
    return primitive(builder, right, _ -> b.argument(Role.WEIGHTS, right), true);
  }

  /** With the right side in the layout that suits best: a copy, for one that is used often. */
  Primitive primitive(KernelBuilder builder, Weights copies) {
    return primitive(
        builder,
        copies.any(b.operand().dtype()),
        recipe -> copies.in(builder.onednn().chosen(recipe, Chosen.WEIGHTS)),
        false);
  }

  private Primitive primitive(
      KernelBuilder builder, Descriptor right, Function<Recipe, Argument> weights, boolean added) {
    Descriptor left = a.descriptor(builder);
    Descriptor row = bias.map(x -> x.descriptor(builder)).orElse(Descriptor.NONE);
    Descriptor result = c.descriptor(builder);
    Recipe recipe =
        added
            ? builder.recipes().productAdded(left, right, row, result)
            : builder.recipes().product(left, right, row, result);
    builder.note(recipe.implementation());
    List<Argument> arguments = new ArrayList<>();
    arguments.add(a.argument(Role.SRC, left));
    arguments.add(weights.apply(recipe));
    bias.ifPresent(x -> arguments.add(x.argument(Role.BIAS, row)));
    arguments.add(c.argument(Role.DST, result));
    return builder.primitive(recipe, arguments.toArray(Argument[]::new));
  }
}
