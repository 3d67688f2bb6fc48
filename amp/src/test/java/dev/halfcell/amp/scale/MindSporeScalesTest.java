package dev.halfcell.amp.scale;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.halfcell.amp.Amp;
import dev.halfcell.amp.AmpOptions;
import dev.halfcell.amp.TrainOneStepWithLossScaleCell;
import dev.halfcell.backend.ReferenceBackend;
import dev.halfcell.nn.Dense;
import dev.halfcell.nn.MSELoss;
import dev.halfcell.nn.WithLossCell;
import dev.halfcell.op.CellPath;
import dev.halfcell.op.Ops;
import dev.halfcell.op.precision.LossScale;
import dev.halfcell.optim.Sgd;
import dev.halfcell.tensor.ArgumentException;
import dev.halfcell.tensor.DType;
import dev.halfcell.tensor.NonFiniteException;
import dev.halfcell.tensor.Tensor;
import dev.halfcell.tensor.TensorScope;
import dev.halfcell.tensor.TensorSpec;
import dev.halfcell.train.StepResult;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class MindSporeScalesTest {
  private static final String PATTERN = "....X.....XX.......";
  private static final List<Double> GOLDEN =
      Stream.of(
              "1024 1024 2048 2048 1024 1024 1024 2048 2048 2048 1024 512 512 512 1024 1024 1024"
                  + " 2048 2048")
          .flatMap(line -> Arrays.stream(line.split(" ")))
          .map(Double::valueOf)
          .toList();

  private final TensorScope scope = TensorScope.open();
  private final Ops ops = new Ops(new ReferenceBackend().eager(scope), new CellPath("/"));

  @AfterEach
  void close() {
    scope.close();
  }

  private Tensor row(DType dtype, double... values) {
    return Tensor.of(scope, TensorSpec.of(dtype, values.length), values);
  }

  @Test
  void theManagerFollowsTheGoldenTrace() {
    LossScaleManager manager = new DynamicLossScaleManager(1024, 2, 3);
    List<Double> scales = new ArrayList<>();
    for (int i = 0; i < PATTERN.length(); i++) {
      manager.updateLossScale(PATTERN.charAt(i) == 'X');
      scales.add(manager.lossScale());
    }
    assertEquals(GOLDEN, scales);
  }

  @Test
  void theScalerFollowsTheGoldenTraceAndCounts() {
    DynamicLossScaler scaler = new DynamicLossScaler(1024, 2, 3);
    List<Double> scales = new ArrayList<>();
    List<Long> counts = new ArrayList<>();
    for (int i = 0; i < PATTERN.length(); i++) {
      assertTrue(scaler.adjust(PATTERN.charAt(i) == '.'));
      scales.add(scaler.scaleValue());
      counts.add(scaler.counter());
    }
    assertEquals(GOLDEN, scales);
    assertEquals(List.of(1L, 2L, 0L, 1L, 0L, 1L, 2L, 0L), counts.subList(0, 8));
  }

  @Test
  void noScaleFallsUnderOne() {
    DynamicLossScaler scaler = new DynamicLossScaler(3, 4, 3);
    scaler.adjust(false);
    assertEquals(1, scaler.scaleValue());
    scaler.adjust(false);
    assertEquals(1, scaler.scaleValue());
  }

  @Test
  void theManagersRuleIsMindSporesPreset() {
    DynamicLossScaleManager manager = new DynamicLossScaleManager();
    assertEquals(LossScale.mindspore(), manager.rule());
    assertEquals(0x1p24, manager.lossScale());
    assertTrue(manager.dropOverflowUpdate());
  }

  /** On MindSpore's device path there is no limit. */
  @Test
  void anUpdateCellNeverGivesUp() {
    LossScaleUpdateCell cell = new DynamicLossScaleManager(256, 4, 7).updateCell().orElseThrow();
    assertEquals(new DynamicLossScaleUpdateCell(256, 4, 7), cell);
    assertEquals(256, cell.lossScale());
    assertTrue(cell.rule().mostOverflowsInARow().isEmpty());
    assertEquals(LossScale.dynamic(256, 4, 0.25, 7, 1, Float.MAX_VALUE, 1), cell.rule());
  }

  @Test
  void theManagerGivesUpAtThe1001stOverflowInARow() {
    DynamicLossScaleManager manager = new DynamicLossScaleManager();
    manager.updateLossScale(true);
    manager.updateLossScale(false);
    for (int i = 0; i < 1000; i++) {
      manager.updateLossScale(true);
    }
    NonFiniteException e =
        assertThrows(NonFiniteException.class, () -> manager.updateLossScale(true));
    assertEquals("1001", e.problem().got());
  }

  @Test
  void aFixedManagerNeverMoves() {
    FixedLossScaleManager manager = new FixedLossScaleManager();
    manager.updateLossScale(true);
    assertEquals(128, manager.lossScale());
    assertTrue(manager.dropOverflowUpdate());
    assertEquals(LossScale.fixed(128), manager.rule());
    assertEquals(Optional.of(new FixedLossScaleUpdateCell(128)), manager.updateCell());
    assertEquals(LossScale.fixed(128), new FixedLossScaleUpdateCell(128).rule());
  }

  @Test
  void aFixedManagerThatAppliesOverflowsHasNoUpdateCell() {
    FixedLossScaleManager manager = new FixedLossScaleManager(8, false);
    assertEquals(Optional.empty(), manager.updateCell());
    assertFalse(manager.rule().dropsOverflows());
    assertTrue(new FixedLossScaleManager(8).rule().dropsOverflows());
  }

  @Test
  void scalersMultiplyAndDivideInTheDtypeOfWhatTheyGet() {
    LossScaler scaler = new StaticLossScaler(1024);
    for (DType dtype : List.of(DType.FP16, DType.FP32)) {
      Tensor scaled = scaler.scale(ops, row(dtype, 1, -3));
      assertEquals(dtype, scaled.dtype());
      assertEquals(List.of(1024.0, -3072.0), List.of(scaled.at(0), scaled.at(1)));
      assertEquals(-3, scaler.unscale(ops, scaled).at(1));
    }
    assertEquals(
        Double.POSITIVE_INFINITY, scaler.scale(ops, row(DType.FP16, 100)).at(0), "FP16 is small");
  }

  @Test
  void aStaticScalerNeverMoves() {
    StaticLossScaler scaler = new StaticLossScaler(512);
    assertFalse(scaler.adjust(false));
    assertFalse(scaler.adjust(true));
    assertEquals(512, scaler.scaleValue());
    assertEquals(LossScale.fixed(512), scaler.rule());
  }

  @ParameterizedTest
  @ValueSource(doubles = {Double.NaN, Double.POSITIVE_INFINITY, Double.NEGATIVE_INFINITY})
  void oneElementThatIsNotFiniteIsFound(double bad) {
    Tensor good = row(DType.FP32, 1, Float.MAX_VALUE);
    assertEquals(1, LossScaler.allFinite(ops, List.of(good, row(DType.FP16, 65504))).item());
    assertEquals(0, LossScaler.allFinite(ops, List.of(good, row(DType.FP16, 1, bad))).item());
    assertEquals(0, LossScaler.allFinite(ops, List.of(row(DType.FP32, bad), good)).item());
    assertEquals(0, Amp.allFinite(ops, List.of(row(DType.FP32, bad), good)).item());
    assertThrows(ArgumentException.class, () -> LossScaler.allFinite(ops, List.of()));
  }

  @ParameterizedTest
  @ValueSource(doubles = {0.5, 0, -1, Double.NaN, Double.POSITIVE_INFINITY})
  void scalesUnderOneAreRefusedByEachOfTheseClasses(double scale) {
    assertThrows(ArgumentException.class, () -> new FixedLossScaleManager(scale));
    assertThrows(ArgumentException.class, () -> new FixedLossScaleUpdateCell(scale));
    assertThrows(ArgumentException.class, () -> new DynamicLossScaleManager(scale, 2, 2000));
    assertThrows(ArgumentException.class, () -> new DynamicLossScaleUpdateCell(scale, 2, 2000));
    assertThrows(ArgumentException.class, () -> new StaticLossScaler(scale));
    assertThrows(ArgumentException.class, () -> new DynamicLossScaler(scale, 2, 2000));
  }

  @Test
  void scalesThatFp32DoesNotHoldAreRefusedWhereTheyAreSaid() {
    assertThrows(ArgumentException.class, () -> new FixedLossScaleManager(1e39));
    assertThrows(ArgumentException.class, () -> new FixedLossScaleUpdateCell(1e39));
    assertThrows(ArgumentException.class, () -> new DynamicLossScaleUpdateCell(1e39, 2, 1));
    assertThrows(ArgumentException.class, () -> new StaticLossScaler(1e39));
  }

  @Test
  void factorsAndWindowsThatMakeNoSenseAreRefused() {
    for (double factor : new double[] {0, -2, 1, Double.NaN}) {
      assertThrows(ArgumentException.class, () -> new DynamicLossScaleManager(8, factor, 5));
      assertThrows(ArgumentException.class, () -> new DynamicLossScaler(8, factor, 5));
    }
    assertThrows(ArgumentException.class, () -> new DynamicLossScaleManager(8, 2, 0));
    assertThrows(ArgumentException.class, () -> new DynamicLossScaler(8, 2, -1));
  }

  static Stream<ScaleSource> sources() {
    return Stream.of(
        new FixedLossScaleManager(),
        new DynamicLossScaleManager(),
        new FixedLossScaleUpdateCell(64),
        new DynamicLossScaleUpdateCell(64, 2, 10),
        new StaticLossScaler(32),
        new DynamicLossScaler(32, 2, 10));
  }

  @ParameterizedTest
  @MethodSource("sources")
  void eachSaysTheRuleOfATrainCell(ScaleSource source) {
    AmpOptions options = AmpOptions.defaults().lossScale(source);
    assertEquals(Optional.of(source.rule()), options.step().lossScale());
    if (source instanceof LossScaleManager manager) {
      assertEquals(options, AmpOptions.defaults().lossScaleManager(manager));
    }
  }

  @Test
  void aTrainCellTakesAnUpdateCellAndMovesTheScaleItself() {
    DynamicLossScaleManager manager = new DynamicLossScaleManager(0x1p10, 2, 2);
    WithLossCell net = new WithLossCell(new Dense(2, 2), new MSELoss());
    AmpOptions options =
        AmpOptions.defaults()
            .backend(new ReferenceBackend())
            .lossScale(manager.updateCell().orElseThrow());
    try (var train = new TrainOneStepWithLossScaleCell(net, new Sgd(0.1), options)) {
      Tensor x = Tensor.of(scope, TensorSpec.of(DType.FP32, 1, 2), 1, 2);
      train.run(x, x);
      StepResult second = train.run(x, x);
      assertEquals(0x1p11, second.nextScale());
      assertEquals(0x1p11, train.lossScale());
      assertEquals(0x1p10, manager.lossScale(), "the manager's own scale stays");
    }
  }
}
