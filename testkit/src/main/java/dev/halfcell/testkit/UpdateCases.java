package dev.halfcell.testkit;

import static dev.halfcell.testkit.Argument.data;
import static dev.halfcell.testkit.Argument.fixed;

import dev.halfcell.op.update.AdamRule;
import dev.halfcell.op.update.Increment;
import dev.halfcell.op.update.LearningRate;
import dev.halfcell.op.update.MomentumRule;
import dev.halfcell.op.update.Schedule;
import dev.halfcell.op.update.SgdRule;
import dev.halfcell.tensor.DType;
import dev.halfcell.tensor.Shape;
import java.util.stream.Stream;

final class UpdateCases {
  private UpdateCases() {}

  static Stream<OpCase> draw(Generator g) {
    Shape shape = g.shape(g.integer(1, 4));
    double decay = g.flag() ? 0 : 0.01;
    Argument w = data(shape, Fill.normals());
    Argument squares = data(shape, Fill.positives());
    Argument rate = data(Shape.SCALAR, Fill.constant(0.05));
    Argument applied = fixed(DType.INT64, Shape.SCALAR, Fill.labels(50));
    Schedule.WarmUp warmUp = new Schedule.WarmUp(0.1, 20);
    return Stream.of(
        OpCase.of(new SgdRule(decay), w, w, rate),
        OpCase.of(new MomentumRule(0.9, g.flag(), decay), w, w, w, rate),
        OpCase.of(new AdamRule(0.9, 0.999, 1e-8, decay, g.flag()), w, w, squares, w, rate, applied),
        OpCase.of(new LearningRate(warmUp), applied).exactly(),
        OpCase.of(new LearningRate(new Schedule.Constant(0.3)), applied).exactly(),
        OpCase.of(new Increment(), applied).exactly());
  }
}
