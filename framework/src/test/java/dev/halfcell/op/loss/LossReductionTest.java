package dev.halfcell.op.loss;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.halfcell.tensor.Shape;
import org.junit.jupiter.api.Test;

class LossReductionTest {
  private static final Shape EACH = Shape.of(2, 3);

  @Test
  void onlyAMeanIsDivided() {
    assertEquals(6, LossReduction.MEAN.divisor(6));
    assertEquals(1, LossReduction.MEAN.divisor(0), "where none counts the loss is 0");
    assertEquals(1, LossReduction.SUM.divisor(6));
    assertEquals(1, LossReduction.NONE.divisor(6));
  }

  @Test
  void lossesThatAreNotReducedStandWhereTheyWere() {
    assertEquals(EACH, LossReduction.NONE.of(EACH));
    assertEquals(4, LossReduction.NONE.place(4));
    assertEquals(Shape.SCALAR, LossReduction.SUM.of(EACH));
    assertEquals(0, LossReduction.SUM.place(4));
  }
}
