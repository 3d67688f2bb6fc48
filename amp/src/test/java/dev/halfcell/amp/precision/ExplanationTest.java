package dev.halfcell.amp.precision;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.halfcell.backend.Capabilities;
import dev.halfcell.nn.Cell;
import dev.halfcell.nn.Dense;
import dev.halfcell.nn.LayerNorm;
import dev.halfcell.nn.MSELoss;
import dev.halfcell.nn.ReLU;
import dev.halfcell.nn.Sequential;
import dev.halfcell.nn.WithLossCell;
import dev.halfcell.op.Direction;
import dev.halfcell.tensor.ArgumentException;
import dev.halfcell.tensor.DType;
import dev.halfcell.tensor.TensorSpec;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** What a plan comes to: rows, casts, bytes. */
final class ExplanationTest {
  private static final PrecisionOptions DEFAULTS = PrecisionOptions.defaults();
  private static final TensorSpec ROWS = TensorSpec.of(DType.FP32, 2, 4);

  private static Cell net() {
    Cell body = new Sequential(new Dense(4, 8), new LayerNorm(8), new ReLU(), new Dense(8, 4));
    return new WithLossCell(body, new MSELoss());
  }

  private static Explanation at(Level level, PrecisionOptions options) {
    return Explanation.of(net(), List.of(ROWS, ROWS), level, options);
  }

  /**
   * Casts to half: x, the first layer's weight and bias, the norm's output; the norm's output again
   * to BF16, the second layer's weight and bias; backward the gradients of the logits, of the
   * second layer's input and of the norm's. To FP32: what the norm reads, the logits, the gradient
   * of the norm's output. Kept: x in half 16 bytes, what the norm reads 64, its statistics 16, the
   * ReLU's output 32, that in BF16 32, the logits 32. In FP32 x is the batch's own, and the ReLU's
   * output of 64 bytes is there once: 64 + 16 + 64 + 32.
   */
  @Test
  void theTextNamesEachCellAndAddsUp() {
    PrecisionOptions options = DEFAULTS.lists(l -> l.deny("Exp")).part("3", DType.BF16);
    assertEquals(
        """
        cell      class                     params  compute  output   reason
        /         Sequential                -       fp16     fp32     level O2; LACK
        /0        Dense                     fp32    fp16     fp16     level O2; LACK
        /1        LayerNorm                 fp32    fp32     fp16     LayerNorm needs fp32
        /2        ReLU                      -       fp16     fp16     level O2; LACK
        /3        Dense                     fp32    bf16     bf16     bf16 asked for by part /3
        /loss_fn  MSELoss                   -       fp32     fp32     MSELoss is a loss: fp32 at every level
        4 of 6 cells compute in half
        13 casts in a training step: 10 to half, 3 to fp32
        192 bytes kept for the backward pass, 16 more than in fp32
        op Exp: deny list
        """
            .replace("LACK", "the device keeps fp16 and computes in fp32"),
        at(Level.O2, options).on(new Capabilities(Set.of(DType.FP32, DType.BF16))).text());
  }

  @Test
  void inFp32NothingIsCastAndNothingSaved() {
    Explanation o0 = at(Level.O0, DEFAULTS);
    assertEquals(0, o0.totals().castsToHalf() + o0.totals().castsToFull());
    assertEquals(0, o0.totals().bytesSaved());
    assertEquals(0, o0.totals().inHalf());
    assertEquals(6, o0.totals().cells());
  }

  @Test
  void aDeviceThatComputesInHalfLacksNothing() {
    Explanation o2 = at(Level.O2, DEFAULTS);
    assertEquals(o2, o2.on(new Capabilities(Set.of(DType.FP32, DType.FP16))));
  }

  @Test
  void flagsInTheNetworkAreNotPartOfTheFp32ItIsComparedWith() {
    Cell net = net().toFloat(DType.FP16);
    Explanation flagged = Explanation.of(net, List.of(ROWS, ROWS), Level.O0, DEFAULTS);
    Explanation plain = at(Level.O0, DEFAULTS);
    assertEquals(
        plain.totals().activationBytes(),
        flagged.totals().activationBytes() + flagged.totals().bytesSaved());
  }

  @Test
  void parametersThatAreKeptInHalfAreShownSo() {
    Explanation kept = at(Level.O2, DEFAULTS.halfParameters(true).stochasticRounding(true));
    assertEquals(Optional.of(DType.FP16), kept.rows().get(1).parameters());
    assertEquals(Optional.of(DType.FP32), at(Level.O2, DEFAULTS).rows().get(1).parameters());
    assertEquals(Optional.empty(), kept.rows().getFirst().parameters());
  }

  private static String told() {
    PrecisionOptions options = DEFAULTS.partials("/0", DType.FP16);
    return at(Level.O2, options).text()
        + at(Level.AUTO, options).text()
        + new Reason.Demoted("Dense", Direction.FORWARD, 7, 3).text();
  }

  /** Whatever digits the user's language has. */
  @Test
  void theTextIsTheSameInAllLanguages() {
    String expected = told();
    Locale usual = Locale.getDefault();
    Locale.setDefault(Locale.of("fa", "IR"));
    try {
      assertEquals(expected, told());
    } finally {
      Locale.setDefault(usual);
    }
  }

  @Test
  void withoutInputsThereIsNothingToExplain() {
    assertThrows(
        ArgumentException.class, () -> Explanation.of(net(), List.of(), Level.O2, DEFAULTS));
  }
}
