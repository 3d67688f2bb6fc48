package dev.halfcell.benchmarks;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

final class LossAgreementTest {
  private static final List<Double> EXPECTED = List.of(2.0, 1.0);
  private static final LossAgreement AGREEMENT = LossAgreement.USUAL;
  private static final Bytes NO_BYTES =
      new Bytes(OptionalLong.empty(), OptionalLong.empty(), OptionalLong.empty());
  private static final Contender FP32 = Samples.peer("peer FP32", Precision.FP32, "");
  private static final Contender FP16 = Samples.peer("peer FP16", Precision.FP16, "");
  private static final Contender BF16 = Samples.peer("peer BF16", Precision.BF16, "");

  @Test
  void theFirstFp32LossMayDifferByItsBound() {
    assertEquals(0.9e-5, AGREEMENT.require(FP32, losses(2.000018, 1), EXPECTED), 1e-9);
    refused(FP32, 2.000022, 1);
  }

  @Test
  void onlyResNet50IsAskedForLess() {
    TimedNetwork.all().stream()
        .filter(network -> !network.agreement().equals(LossAgreement.USUAL))
        .forEach(network -> assertEquals("resnet50", network.name()));
  }

  @Test
  void aLaterFp32LossMayDifferByATenThousandth() {
    assertEquals(0.9e-4, AGREEMENT.require(FP32, losses(2, 1.00018), EXPECTED), 1e-9);
    refused(FP32, 2, 1.00022);
  }

  @Test
  void aHalfLossMayDifferByTwoHundredthsAndLaterByATenth() {
    assertEquals(0.019, AGREEMENT.require(BF16, losses(2.038, 1), EXPECTED), 1e-9);
    refused(BF16, 2.042, 1);
    assertEquals(0.099, AGREEMENT.require(BF16, losses(2, 1.198), EXPECTED), 1e-9);
    refused(BF16, 2, 1.202);
  }

  @Test
  void asManyAreLookedAtAsBothHave() {
    assertEquals(0, AGREEMENT.require(FP32, losses(2, 1, 7), EXPECTED));
    assertEquals(0, AGREEMENT.require(FP32, losses(2), EXPECTED));
  }

  @Test
  void ofFiftyLayersThreeStepsAreLookedAtInBf16Alone() {
    List<Double> expected = List.of(8.5, 8.2, 7.7, 7.1);
    LossAgreement agreement = LossAgreement.OF_FIFTY_LAYERS;
    assertEquals(0.05, agreement.require(BF16, losses(8.5, 8.4, 8.125, 8.2), expected), 1e-9);
    assertThrows(
        MeasurementException.class, () -> agreement.require(BF16, losses(8.5, 8.4, 8.6), expected));
    assertThrows(
        MeasurementException.class,
        () -> agreement.require(FP32, losses(8.5, 8.2, 7.7, 7.2), expected));
    assertThrows(
        MeasurementException.class,
        () -> agreement.require(FP16, losses(8.5, 8.4, 8.125, 8.2), expected));
  }

  @Test
  void aLossThatIsNoNumberIsRefused() {
    refused(BF16, Double.NaN, 1);
  }

  private static void refused(Contender contender, double... losses) {
    MeasurementException refusal =
        assertThrows(
            MeasurementException.class,
            () -> AGREEMENT.require(contender, losses(losses), EXPECTED));
    assertTrue(String.valueOf(refusal.getMessage()).startsWith(contender.name()));
  }

  private static Measurement losses(double... losses) {
    List<Double> all = Arrays.stream(losses).boxed().toList();
    return new Measurement(all, List.of(1.0), NO_BYTES, Map.of());
  }
}
