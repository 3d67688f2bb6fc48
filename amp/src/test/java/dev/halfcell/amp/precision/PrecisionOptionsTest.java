package dev.halfcell.amp.precision;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.halfcell.nn.Cell;
import dev.halfcell.nn.Dense;
import dev.halfcell.nn.Forward;
import dev.halfcell.nn.LayerNorm;
import dev.halfcell.nn.MSELoss;
import dev.halfcell.nn.PrecisionFlag;
import dev.halfcell.nn.ReLU;
import dev.halfcell.nn.Sequential;
import dev.halfcell.nn.WithLossCell;
import dev.halfcell.op.CellPath;
import dev.halfcell.op.precision.LossScale;
import dev.halfcell.tensor.ArgumentException;
import dev.halfcell.tensor.DType;
import dev.halfcell.tensor.Tensor;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What can be said beside the level, and what contradicts what. */
final class PrecisionOptionsTest {
  private static final PrecisionOptions DEFAULTS = PrecisionOptions.defaults();

  /** The treatments of /, /0, /1, /2, a dense layer, a layer norm and a ReLU. */
  private static List<Treatment> treatments(Level level, PrecisionOptions options) {
    Cell net = new Sequential(new Dense(4, 4), new LayerNorm(4), new ReLU());
    PrecisionPlan plan = PrecisionPlan.of(net, level, options);
    return Stream.of("/", "/0", "/1", "/2").map(at -> plan.treatment(new CellPath(at))).toList();
  }

  @Test
  void autoAsksEachOpAndNoClassOfCells() {
    assertEquals(
        List.of(Treatment.PER_OP, Treatment.PER_OP, Treatment.PER_OP, Treatment.PER_OP),
        treatments(Level.AUTO, DEFAULTS));
    assertEquals(Treatment.FULL, treatments(Level.AUTO, DEFAULTS.keepBatchNormFp32(true)).get(2));
    assertEquals(
        Treatment.HALF_THROUGHOUT,
        treatments(Level.AUTO, DEFAULTS.keepBatchNormFp32(false)).get(2));
    assertEquals(LossScale.dynamic(), Level.AUTO.defaultScale(DType.FP16));
    assertEquals(LossScale.none(), Level.AUTO.defaultScale(DType.BF16));
    assertEquals(Level.AUTO, Level.of("auto"));
    assertEquals("auto", Level.AUTO.toString());
  }

  @ParameterizedTest
  @EnumSource(Level.class)
  void castModelTypeFp32CastsNothing(Level level) {
    PrecisionOptions fp32 = DEFAULTS.castModelType(DType.FP32);
    assertEquals(treatments(Level.O0, DEFAULTS), treatments(level, fp32));
    assertEquals(DType.FP16, fp32.half(), "so that O2 keeps its dynamic scale");
  }

  @ParameterizedTest
  @EnumSource(Level.class)
  void castModelTypeInHalfMakesEveryLevelOneOfHalf(Level level) {
    PrecisionOptions bf16 = DEFAULTS.castModelType(DType.BF16);
    assertEquals(DType.BF16, bf16.half());
    Level like = level == Level.O2 ? Level.O2 : Level.O3;
    assertEquals(treatments(like, DEFAULTS), treatments(level, bf16));
    assertEquals(
        treatments(Level.O2, DEFAULTS.keepBatchNormFp32(true)),
        treatments(level == Level.O3 ? Level.O2 : level, bf16.keepBatchNormFp32(true)));
  }

  @Test
  void thePlanSaysThatCastModelTypeDecided() {
    PrecisionPlan plan = PrecisionPlan.of(new ReLU(), Level.O0, DEFAULTS.castModelType(DType.FP16));
    assertEquals("castModelType(fp16)", Seen.decision(plan, "/").because().text());
  }

  @Test
  void contradictionsAreErrors() {
    assertThrows(
        ArgumentException.class, () -> DEFAULTS.half(DType.BF16).castModelType(DType.FP16));
    assertThrows(
        ArgumentException.class, () -> DEFAULTS.castModelType(DType.FP16).half(DType.BF16));
    assertThrows(
        ArgumentException.class, () -> DEFAULTS.castModelType(DType.FP32).keepBatchNormFp32(false));
    assertThrows(ArgumentException.class, () -> DEFAULTS.castModelType(DType.FP64));
    assertThrows(ArgumentException.class, () -> DEFAULTS.half(DType.FP32));
    ArgumentException e =
        assertThrows(
            ArgumentException.class, () -> DEFAULTS.half(DType.BF16).castModelType(DType.FP16));
    assertEquals(
        "[castModelType]: expected the dtype of half(bf16), got fp16. Ask for one of them alone.",
        e.getMessage());
    DEFAULTS.castModelType(DType.FP32).keepBatchNormFp32(true).half(DType.BF16);
    DEFAULTS.half(DType.BF16).castModelType(DType.BF16);
  }

  /** encoder (dense, norm), decoder (dense). */
  private static Cell parted() {
    return new Named(
        new Sequential(new Dense(4, 4), new LayerNorm(4)), new Sequential(new Dense(4, 4)));
  }

  @Test
  void aPartIsAsIfItHadBeenFlagged() {
    Cell net = parted();
    PrecisionPlan said = PrecisionPlan.of(net, Level.O2, DEFAULTS.part("encoder", DType.FP32));
    Cell flagged = parted();
    flagged.children().values().iterator().next().addFlagsRecursive(PrecisionFlag.FP32);
    PrecisionPlan byFlag = PrecisionPlan.of(flagged, Level.O2, DEFAULTS);
    byFlag
        .cells()
        .forEach((path, decision) -> assertEquals(decision.treatment(), said.treatment(path)));
    assertEquals(Treatment.FULL, said.treatment(new CellPath("/encoder/0")));
    assertTrue(net.children().values().stream().allMatch(cell -> cell.requested().isEmpty()));
  }

  @Test
  void ofPartsInsideEachOtherTheInnermostCounts() {
    PrecisionOptions options =
        DEFAULTS.part("/encoder/0", DType.FP16).part("encoder", DType.FP32).part("/", DType.BF16);
    PrecisionPlan plan = PrecisionPlan.of(parted(), Level.O0, options);
    assertEquals("fp16", Seen.decision(plan, "/encoder/0").computes());
    assertEquals("fp32", Seen.decision(plan, "/encoder/1").computes());
    assertEquals("bf16", Seen.decision(plan, "/decoder/0").computes());
  }

  @Test
  void fp32WinsBetweenAFlagAndAPart() {
    Cell net = parted();
    net.addFlagsRecursive(PrecisionFlag.FP16);
    PrecisionPlan plan = PrecisionPlan.of(net, Level.O0, DEFAULTS.part("encoder", DType.FP32));
    assertEquals(Treatment.FULL, plan.treatment(new CellPath("/encoder/0")));
    PrecisionPlan half = PrecisionPlan.of(net, Level.O0, DEFAULTS.part("encoder", DType.BF16));
    assertEquals("fp16", Seen.decision(half, "/encoder/0").computes());
  }

  @Test
  void aPartThatIsNoneIsAnErrorThatNamesThoseThereAre() {
    PrecisionOptions wrong = DEFAULTS.part("encodr", DType.FP32);
    ArgumentException e =
        assertThrows(ArgumentException.class, () -> PrecisionPlan.of(parted(), Level.O2, wrong));
    assertEquals(
        "[parts]: expected a part of the network: /encoder, /decoder, got /encodr. A loss is none:"
            + " call toFloat on the loss cell itself.",
        e.getMessage());
    PrecisionOptions deep = DEFAULTS.part("encoder/2", DType.FP32);
    ArgumentException below =
        assertThrows(ArgumentException.class, () -> PrecisionPlan.of(parted(), Level.O2, deep));
    assertTrue(
        below.problem().toString().contains("/encoder/0, /encoder/1"), below.problem().toString());
    PrecisionOptions loss = DEFAULTS.part("loss_fn", DType.FP16);
    assertThrows(
        ArgumentException.class,
        () -> PrecisionPlan.of(new WithLossCell(parted(), new MSELoss()), Level.O2, loss));
    assertThrows(ArgumentException.class, () -> DEFAULTS.part("a", DType.INT32));
    assertThrows(
        ArgumentException.class, () -> DEFAULTS.part("a", DType.FP32).part("/a", DType.FP16));
  }

  @Test
  void toFloatOnALossItselfTakesEffectAndFlagsDoNot() {
    MSELoss loss = new MSELoss();
    Cell net = new WithLossCell(new Dense(4, 4), loss);
    CellPath at = new CellPath("/loss_fn");
    net.addFlagsRecursive(PrecisionFlag.FP16);
    assertEquals(Treatment.FULL, PrecisionPlan.of(net, Level.O3, DEFAULTS).treatment(at), "a flag");
    net.toFloat(DType.FP16);
    assertEquals(
        Treatment.FULL, PrecisionPlan.of(net, Level.O3, DEFAULTS).treatment(at), "from above");
    loss.toFloat(DType.BF16);
    Decision half = Seen.decision(PrecisionPlan.of(net, Level.O0, DEFAULTS), "/loss_fn");
    assertEquals(Treatment.HALF_LOSS, half.treatment());
    assertEquals("bf16", half.computes());
    assertEquals("fp32", half.leaves());
    assertEquals("bf16 asked for by toFloat", half.because().text());
    loss.toFloat(DType.FP32);
    assertEquals(Treatment.FULL, PrecisionPlan.of(net, Level.O3, DEFAULTS).treatment(at));
    loss.toFloat(DType.FP16);
    net.toFloat(DType.FP16);
    assertEquals(
        Treatment.FULL, PrecisionPlan.of(net, Level.O3, DEFAULTS).treatment(at), "the last call");
    loss.toFloat(DType.FP16).addFlagsRecursive(PrecisionFlag.FP32);
    assertEquals(Treatment.FULL, PrecisionPlan.of(net, Level.O3, DEFAULTS).treatment(at));
  }

  @Test
  void aLossInHalfReadsHalfAndAnyOtherFp32() {
    MSELoss loss = new MSELoss();
    Cell net = new WithLossCell(new Dense(4, 4), loss);
    String op = "MeanSquaredError";
    assertEquals(
        List.of(DType.FP32), Seen.by(PrecisionPlan.of(net, Level.O3, DEFAULTS), net, op, 2));
    loss.toFloat(DType.FP16);
    assertEquals(
        List.of(DType.FP16), Seen.by(PrecisionPlan.of(net, Level.O0, DEFAULTS), net, op, 2));
  }

  private static final class Named extends Cell {
    private final Cell encoder;
    private final Cell decoder;

    Named(Cell encoder, Cell decoder) {
      this.encoder = child("encoder", encoder);
      this.decoder = child("decoder", decoder);
    }

    @Override
    protected Tensor construct(Forward f, Tensor... in) {
      return f.call(decoder, f.call(encoder, in));
    }
  }
}
