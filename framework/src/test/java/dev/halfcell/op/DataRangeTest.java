package dev.halfcell.op;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import dev.halfcell.op.indexing.Gather;
import dev.halfcell.op.indexing.Indexing;
import dev.halfcell.op.loss.CtcLoss;
import dev.halfcell.op.loss.LossReduction;
import dev.halfcell.op.loss.Targets;
import dev.halfcell.op.recurrent.Lstm;
import dev.halfcell.op.recurrent.Pass;
import dev.halfcell.op.shape.ReverseSequence;
import dev.halfcell.op.update.RowsRule;
import dev.halfcell.op.update.SgdRule;
import dev.halfcell.tensor.DataException;
import dev.halfcell.tensor.Problem;
import java.util.OptionalLong;
import java.util.function.LongToIntFunction;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/** Labels, lengths and indices are taken as they are up to their borders, and refused behind. */
class DataRangeTest {
  private static final CellPath AT = new CellPath("/cell");
  private static final Op REVERSED = new ReverseSequence(0, 1);
  private static final CtcLoss CTC = new CtcLoss(2, LossReduction.MEAN, false);

  private record Range(String what, LongToIntFunction require, int least, int most) {}

  @TestFactory
  Stream<DynamicTest> eachNumberIsTakenUpToItsBorder() {
    RowsRule rows = new RowsRule(new SgdRule(0));
    return Stream.of(
            new Range("class", v -> Targets.requireClass("Loss", AT, v, 3, 5), 0, 4),
            new Range("CTC length", v -> CTC.requireLength(AT, "lengths", v, 3, 1, 6), 1, 6),
            new Range("CTC label", v -> CTC.requireLabel(AT, v, 3, 1, 5), 0, 4),
            new Range("steps", v -> new Lstm(Pass.FORWARD).requireLength(v, 3, 6, AT), 0, 6),
            new Range(
                "reversed",
                v -> ReverseSequence.requireLength(REVERSED, AT, (double) v, 3, 6),
                0,
                6),
            new Range("index", v -> Indexing.require(new Gather(0), AT, (double) v, 3, 5), 0, 4),
            new Range("row", v -> rows.row(AT, (double) v, 3, 5), 0, 4),
            new Range("count", v -> rows.count(AT, (double) v, 5), 0, 5))
        .map(range -> dynamicTest(range.what(), () -> check(range)));
  }

  private static void check(Range range) {
    assertEquals(range.least(), range.require().applyAsInt(range.least()));
    assertEquals(range.most(), range.require().applyAsInt(range.most()));
    refused(range, range.least() - 1L, range.least() + " to " + range.most());
    refused(range, range.most() + 1L, range.least() + " to " + range.most());
  }

  private static void refused(Range range, long value, String wanted) {
    Problem problem =
        assertThrows(DataException.class, () -> range.require().applyAsInt(value)).problem();
    assertEquals(AT.text(), problem.where());
    assertTrue(problem.expected().contains(wanted), problem.message());
    assertTrue(problem.got().contains(String.valueOf(value)), problem.message());
  }

  @Test
  void theBlankIsNoLabel() {
    refused(new Range("label", v -> CTC.requireLabel(AT, v, 3, 1, 5), 0, 4), 2, "the blank 2");
  }

  @Test
  void aLabelThatIsIgnoredDoesNotCount() {
    Targets some = new Targets(0, OptionalLong.of(-100));
    assertTrue(!some.counts(-100) && some.counts(0) && Targets.PLAIN.counts(-100));
  }
}
