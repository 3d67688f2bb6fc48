package dev.halfcell.rest.worker;

import java.util.List;
import java.util.Optional;

/** Made-up diagnoses of steps. */
public final class StepDiagnoses {
  /** Of a step that overflowed. */
  public static final StepDiagnosis OVERFLOWED =
      new StepDiagnosis(
          "offending-state.safetensors",
          Optional.of(17L),
          0x1p16,
          Optional.of(
              new StepDiagnosis.NotFinite(
                  "/conv1", "Conv2d", "backward", "fp16", "infinite", 0.5, 0.25)),
          List.of("/conv1"),
          "fp16",
          Optional.of(256.0),
          List.of(
              new StepDiagnosis.Gradients(
                  "/conv1/weight", true, false, 9, 2, 1, 3, 1, -30, List.of(1L, 0L, 5L)),
              new StepDiagnosis.Gradients("/fc", false, true, 2, 2, 0, 0, 0, 0, List.of())));

  /** Of one whose values are finite, and none can underflow. */
  public static final StepDiagnosis FINITE =
      new StepDiagnosis(
          "model.safetensors",
          Optional.empty(),
          0x1p10,
          Optional.empty(),
          List.of(),
          "fp16",
          Optional.empty(),
          List.of());

  private StepDiagnoses() {}
}
