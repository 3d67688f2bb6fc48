package dev.halfcell.testkit;

import static dev.halfcell.testkit.Argument.data;
import static dev.halfcell.testkit.Argument.fixed;

import dev.halfcell.op.update.Accumulate;
import dev.halfcell.op.update.AdagradRule;
import dev.halfcell.op.update.AdamRule;
import dev.halfcell.op.update.ClipByNorm;
import dev.halfcell.op.update.ClipByValue;
import dev.halfcell.op.update.CountFinite;
import dev.halfcell.op.update.CountRefused;
import dev.halfcell.op.update.Hopeful;
import dev.halfcell.op.update.Increment;
import dev.halfcell.op.update.LambRule;
import dev.halfcell.op.update.LarsRule;
import dev.halfcell.op.update.LearningRate;
import dev.halfcell.op.update.MomentumRule;
import dev.halfcell.op.update.Plateau;
import dev.halfcell.op.update.Restart;
import dev.halfcell.op.update.RmsPropRule;
import dev.halfcell.op.update.RowsRule;
import dev.halfcell.op.update.Schedule;
import dev.halfcell.op.update.SgdRule;
import dev.halfcell.op.update.UpdateRule;
import dev.halfcell.op.update.WindowClean;
import dev.halfcell.op.update.WindowScale;
import dev.halfcell.op.update.WindowStatistic;
import dev.halfcell.tensor.DType;
import dev.halfcell.tensor.Shape;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;

final class UpdateCases {
  private UpdateCases() {}

  static Stream<OpCase> draw(Generator g) {
    Shape shape = g.shape(g.integer(1, 4));
    double decay = g.flag() ? 0 : 0.01;
    Argument w = data(shape, Fill.normals());
    Argument squares = data(shape, Fill.positives().map(x -> 4 * x * x));
    Argument rate = data(Shape.SCALAR, Fill.constant(0.05));
    Argument applied = fixed(DType.INT64, Shape.SCALAR, Fill.labels(50));
    Argument few = fixed(DType.INT64, Shape.SCALAR, Fill.labels(3));
    Argument flag = fixed(DType.BOOL, Shape.SCALAR, Fill.labels(2));
    Schedule.WarmUp warmUp = new Schedule.WarmUp(20, new Schedule.Constant(0.1));
    int size = Math.toIntExact(shape.size());
    return Stream.of(
        OpCase.of(new SgdRule(decay), w, w, rate),
        rows(g, new SgdRule(decay)),
        rows(g, new AdamRule(0.9, 0.999, 1e-8, decay, g.flag())),
        rows(g, new MomentumRule(0.9, g.flag(), decay, g.flag())),
        OpCase.of(new MomentumRule(0.9, g.flag(), decay, g.flag()), w, w, w, rate),
        OpCase.of(new AdamRule(0.9, 0.999, 1e-8, decay, g.flag()), w, w, squares, w, rate, applied),
        OpCase.of(new LambRule(0.9, 0.999, 1e-6, decay), w, w, squares, w, rate, applied)
            .summing(size),
        OpCase.of(new LarsRule(0.02, 0.9, decay), w, w, w, rate).summing(size),
        rmsProp(new RmsPropRule(0.9, 1e-8, g.flag() ? 0.9 : 0, g.flag(), decay), shape),
        OpCase.of(new AdagradRule(0.1, 1e-10, decay), w, squares, w, rate),
        OpCase.of(new LearningRate(warmUp), applied).exactly(),
        OpCase.of(new LearningRate(new Schedule.Constant(0.3)), applied).exactly(),
        OpCase.of(
                new LearningRate(new Plateau(0.3)),
                applied,
                data(Shape.SCALAR, Fill.constant(0.25)))
            .exactly(),
        OpCase.of(new ClipByNorm(2), w, data(Shape.SCALAR, Fill.positives())),
        OpCase.of(new ClipByValue(0.75), w).exactly(),
        OpCase.of(new Increment(), applied).exactly(),
        OpCase.of(new CountRefused(), applied, seldom(g)).exactly(),
        hopeful(g),
        OpCase.of(new Accumulate(), w, w, fixed(DType.INT64, Shape.SCALAR, Fill.labels(2))),
        OpCase.of(new WindowStatistic(), w, w, fixed(DType.INT64, Shape.SCALAR, Fill.labels(2)))
            .exactly(),
        OpCase.of(new WindowScale(g.flag()), data(Shape.SCALAR, Fill.constant(1024)), few, few)
            .exactly(),
        windowClean(g),
        OpCase.of(new CountFinite(), few, flag).exactly(),
        OpCase.of(new Restart(), few).exactly());
  }

  private static Argument seldom(Generator g) {
    return fixed(DType.BOOL, Shape.SCALAR, Fill.constant(g.integer(0, 3) == 0 ? 1 : 0));
  }

  private static OpCase hopeful(Generator g) {
    double loss = g.integer(0, 3) == 0 ? Double.NaN : 1;
    Argument scale = data(Shape.SCALAR, Fill.constant(8));
    Argument next = data(Shape.SCALAR, Fill.constant(g.flag() ? 4 : 8));
    return OpCase.of(new Hopeful(), seldom(g), data(Shape.SCALAR, Fill.constant(loss)), scale, next)
        .exactly();
  }

  /** As often clean as not: scalars of one fill would be the same in all cases. */
  private static OpCase windowClean(Generator g) {
    Argument finite = fixed(DType.BOOL, Shape.SCALAR, Fill.constant(g.integer(0, 3) == 0 ? 0 : 1));
    Argument taken = fixed(DType.INT64, Shape.SCALAR, Fill.constant(g.integer(1, 2)));
    Argument kept = fixed(DType.INT64, Shape.SCALAR, Fill.constant(g.integer(1, 2)));
    return OpCase.of(new WindowClean(), finite, taken, kept).exactly();
  }

  /** As many rows as there may be, of which the first {@code count} mean anything. */
  private static OpCase rows(Generator g, UpdateRule rule) {
    Shape table = g.shape(2);
    int lookUps = g.integer(1, table.dim(0));
    Fill rows =
        (r, size) ->
            Arrays.stream(r.permutation(table.dim(0))).limit(size).asDoubleStream().toArray();
    List<Argument> in = new ArrayList<>(List.of(data(table, Fill.normals())));
    rule.slots().forEach(_ -> in.add(data(table, Fill.positives())));
    in.add(data(Shape.of(lookUps, table.dim(1)), Fill.normals()));
    in.add(data(Shape.SCALAR, Fill.constant(0.05)));
    if (rule.counted()) {
      in.add(fixed(DType.INT64, Shape.SCALAR, Fill.labels(50)));
    }
    in.add(fixed(DType.INT64, Shape.of(lookUps), rows));
    in.add(fixed(DType.INT64, Shape.SCALAR, Fill.labels(lookUps + 1)));
    return OpCase.of(new RowsRule(rule), in.toArray(Argument[]::new));
  }

  /** The mean of squares stays well above the square of the mean, as it does in training. */
  private static OpCase rmsProp(RmsPropRule rule, Shape shape) {
    Argument w = data(shape, Fill.normals());
    Argument small = data(shape, Fill.normals().map(x -> x / 8));
    List<Argument> in = new ArrayList<>(List.of(w, data(shape, Fill.positives())));
    if (rule.centered()) {
      in.add(small);
    }
    if (rule.momentum() > 0) {
      in.add(w);
    }
    in.add(small);
    in.add(data(Shape.SCALAR, Fill.constant(0.05)));
    return OpCase.of(rule, in.toArray(Argument[]::new));
  }
}
