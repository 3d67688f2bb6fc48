package dev.halfcell.reliability;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.halfcell.amp.Amp;
import dev.halfcell.amp.AmpOptions;
import dev.halfcell.amp.precision.Level;
import dev.halfcell.amp.scale.DynamicLossScaleManager;
import dev.halfcell.amp.scale.FixedLossScaleManager;
import dev.halfcell.backend.Backends;
import dev.halfcell.nn.Dropout;
import dev.halfcell.op.precision.LossScale;
import dev.halfcell.op.update.Schedule;
import dev.halfcell.optim.Adam;
import dev.halfcell.optim.Momentum;
import dev.halfcell.optim.Sgd;
import dev.halfcell.zoo.LeNet5;
import dev.halfcell.zoo.Networks;
import java.io.IOException;
import java.lang.reflect.Method;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.NullSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Options and hyper-parameters that make no sense. */
final class OptionRowsTest {
  /** The table's rows; what belongs to a later part of the project is not among them yet. */
  private static final List<String> ROWS =
      List.of(
          "J1",
          "J3",
          "J4",
          "J6",
          "J7",
          "J9",
          "J11",
          "J12",
          "J13",
          "J15",
          "J16",
          "J18",
          "J19",
          "J20",
          "J22",
          "J24",
          "J25",
          "J26",
          "J28",
          "J29",
          "J31",
          "J32",
          "J33",
          "J35",
          "J36",
          "J38",
          "J39",
          "J41",
          "J42",
          "J44",
          "J45",
          "J47",
          "J48",
          "J50",
          "J51",
          "J53",
          "J55",
          "J57",
          "J58",
          "J60",
          "J62",
          "J64",
          // Of F13 there is nothing: CIFAR's files and CSV are not read. F28, F30: the service.
          "F1",
          "F2",
          "F4",
          "F5",
          "F7",
          "F8",
          "F10",
          "F11",
          "F14",
          "F15",
          "F17",
          "F18",
          "F19",
          "F20",
          "F21",
          "F23",
          "F25",
          "F26");

  @Test
  void everyRowHasATest() {
    List<String> tested =
        Stream.of(
                TensorRowsTest.class,
                OpRowsTest.class,
                TrainingRowsTest.class,
                OptionRowsTest.class,
                DataFileRowsTest.class,
                CheckpointFileRowsTest.class)
            .flatMap(test -> Stream.of(test.getDeclaredMethods()))
            .map(OptionRowsTest::row)
            .distinct()
            .toList();
    assertEquals(List.of(), ROWS.stream().filter(row -> !tested.contains(row)).toList());
  }

  private static String row(Method method) {
    Row row = method.getAnnotation(Row.class);
    return row == null ? "" : row.value();
  }

  @ParameterizedTest
  @ValueSource(doubles = {Double.NaN, Double.POSITIVE_INFINITY, -0.1, 1e39})
  @Row("J25")
  void aLearningRateIsFiniteAndNotNegative(double rate) {
    Refusal.of(() -> new Sgd(rate), "learning rate", "at least 0", String.valueOf(rate));
    Refusal.of(() -> new Adam(rate), "learning rate", String.valueOf(rate));
    assertEquals(0, new Schedule.Constant(0).rate(1), "zero is allowed: nothing moves");
  }

  @Test
  @Row("J26")
  void hyperParametersStayInTheirRanges() {
    Schedule rate = new Schedule.Constant(0.1);
    Refusal.of(() -> new Momentum(0.1, 1.5), "momentum", "1.5");
    Refusal.of(() -> new Momentum(0.1, -0.1), "momentum", "-0.1");
    Refusal.of(() -> new Adam(rate, 1.0, 0.999, 1e-8, 0), "beta1", "1.0");
    Refusal.of(() -> new Adam(rate, 0.9, 1.0, 1e-8, 0), "beta2", "1.0");
    Refusal.of(() -> new Adam(rate, 0.9, 0.999, 0, 0), "epsilon", "0.0");
    Refusal.of(() -> new Adam(rate, 0.9, 0.999, 1e-8, Double.NaN), "weight decay", "NaN");
  }

  @ParameterizedTest
  @NullSource
  @ValueSource(strings = {"O4", "", " O1", "0", "O", "O1 "})
  @Row("J35")
  void anUnknownLevelIsRefusedWithTheKnownOnes(String level) {
    Refusal.of(() -> Level.of(level), "O0, O1, O2, O3 or auto", "'" + level + "'");
    assertEquals(Level.O1, Level.of("o1"), "the case of the letter does not matter");
  }

  @Test
  @Row("J36")
  void aLevelMayBeAppliedTwiceAndUnderAnother() {
    LeNet5 net = new LeNet5();
    String once = Amp.plan(net, Level.O2, AmpOptions.defaults()).explain();
    Amp.plan(net, Level.O3, AmpOptions.defaults());
    assertEquals(once, Amp.plan(net, Level.O2, AmpOptions.defaults()).explain());
  }

  @ParameterizedTest
  @ValueSource(doubles = {0, -1, Double.NaN, Double.POSITIVE_INFINITY})
  @Row("J38")
  void aLossScaleIsFiniteAndAboveZero(double scale) {
    Refusal.of(() -> LossScale.fixed(scale), "above 0", String.valueOf(scale));
  }

  @ParameterizedTest
  @ValueSource(doubles = {0, -1, 0.5, Double.NaN, Double.POSITIVE_INFINITY})
  @Row("J38")
  void aLossScaleOfMindSporesNamesIsAtLeastOne(double scale) {
    Refusal.of(() -> new FixedLossScaleManager(scale), "at least 1", String.valueOf(scale));
    Refusal.of(
        () -> new DynamicLossScaleManager(scale, 2, 2000), "at least 1", String.valueOf(scale));
  }

  @Test
  @Row("J39")
  void theFactorsOfALossScaleMoveIt() {
    Refusal.of(() -> LossScale.dynamic(8, 1, 0.5, 10, 1, 64, 1), "1.0");
    Refusal.of(() -> LossScale.dynamic(8, 0, 0.5, 10, 1, 64, 1), "0.0");
    Refusal.of(() -> LossScale.dynamic(8, 2, 1, 10, 1, 64, 1), "1.0");
    Refusal.of(() -> LossScale.dynamic(8, 2, 0.5, 0, 1, 64, 1), "0");
  }

  @Test
  @Row("J41")
  void aGrowingLossScaleStaysFinite() {
    LossScale rule = LossScale.dynamic(1e38, 16, 0.5, 1, 1, Float.MAX_VALUE, 1);
    LossScale.State state = rule.start();
    for (int step = 0; step < 100; step++) {
      state = rule.next(state, LossScale.Verdict.of(true));
      assertTrue(Float.isFinite((float) state.scale()), "step " + step);
    }
  }

  @ParameterizedTest
  @ValueSource(doubles = {-0.1, 1.0, 1.5, Double.NaN})
  @Row("J45")
  void aDropoutRateIsAShareBelowOne(double rate) {
    Refusal.of(() -> new Dropout(rate), "Dropout rate", String.valueOf(rate));
  }

  @Test
  @Row("J55")
  void anUnknownDeviceIsRefusedWithTheKnownOnes() {
    Refusal.of(() -> Backends.open("tpu"), "device", "tpu", "cpu", "gpu", "reference");
    try (var backend = Backends.open("auto")) {
      assertEquals("cpu", backend.name());
    }
  }

  @Test
  @Row("J57")
  void aLibraryThatCannotBeUnpackedIsOneClearErrorEachTime()
      throws IOException, InterruptedException {
    ChildProcess process =
        ChildProcess.run(
            "",
            OpenedTwice.class,
            "--enable-native-access=ALL-UNNAMED",
            "-Dorg.bytedeco.javacpp.cachedir=/proc/none",
            "-Duser.home=/proc/none",
            "-Djava.io.tmpdir=/proc/none");
    List<String> lines = process.output().lines().filter(l -> l.startsWith("[")).toList();
    assertEquals(2, lines.size(), process.output());
    assertEquals(lines.get(0), lines.get(1));
    assertTrue(lines.get(0).contains("oneDNN"), process.output());
  }

  @Test
  @Row("J60")
  void theZooNamesWhatItHas() {
    Refusal.of(() -> Networks.named("lenet6"), "lenet5", "Did you mean lenet5?");
    Refusal.of(() -> Networks.named(""), "lenet5");
  }
}
