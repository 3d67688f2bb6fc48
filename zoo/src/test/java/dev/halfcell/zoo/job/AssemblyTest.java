package dev.halfcell.zoo.job;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.halfcell.amp.diagnosis.Demotion;
import dev.halfcell.amp.diagnosis.Diagnosis;
import dev.halfcell.data.SampleChange;
import dev.halfcell.op.precision.LossScale;
import dev.halfcell.op.update.Schedule;
import dev.halfcell.optim.AdamW;
import dev.halfcell.optim.GradientClip;
import dev.halfcell.optim.Momentum;
import dev.halfcell.optim.Optimizer;
import dev.halfcell.optim.Sgd;
import dev.halfcell.tensor.ArgumentException;
import dev.halfcell.tensor.DType;
import dev.halfcell.tensor.Tensor;
import dev.halfcell.tensor.TensorScope;
import dev.halfcell.tensor.TensorSpec;
import dev.halfcell.train.diagnosis.Trap;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What a train cell is built from. */
final class AssemblyTest {
  private static final Schedule DIVIDED_TWICE =
      new Schedule.Piecewise(List.of(0L, 50L, 75L), List.of(0.1, 0.1 * 0.1, 0.1 * 0.01));

  /** Of a run of 10 epochs of 10 batches. */
  private static Optimizer optimizer(String network, Map<String, ?> optimizer, String schedule) {
    JobSpecification job =
        JobSpecification.of(network)
            .with("/training/epochs", 10)
            .with("/training/batchSize", 7)
            .with("/training/optimizer", optimizer);
    JobSpecification scheduled =
        schedule.isEmpty() ? job : job.with("/training/schedule", schedule);
    Optimizer said = new Assembly(scheduled).optimizer(70);
    assertEquals(said, new Assembly(scheduled.resolved()).optimizer(70));
    return said;
  }

  @Test
  void moreStepsThanCanBeCountedAreRefused() {
    JobSpecification endless =
        JobSpecification.of("lenet5")
            .with("/training/epochs", 10_000)
            .with("/training/batchSize", 1);
    ArgumentException refused =
        assertThrows(ArgumentException.class, () -> new Assembly(endless).optimizer(300_000));
    assertEquals("3000000000", refused.problem().got());
  }

  @Test
  void theRecipeDecaysAndDividesTheRate() {
    assertEquals(
        new Momentum(DIVIDED_TWICE, 0.9, false, 1e-4), optimizer("resnet20", Map.of(), ""));
    assertEquals(new Sgd(DIVIDED_TWICE, 1e-4), optimizer("resnet20", Map.of("name", "sgd"), ""));
    assertEquals(new Momentum(0.01, 0.9), optimizer("lenet5", Map.of(), ""));
  }

  @Test
  void whatIsSaidComesBeforeTheRecipe() {
    assertEquals(
        new Momentum(new Schedule.Constant(0.1), 0.9, false, 0),
        optimizer("resnet20", Map.of("weightDecay", 0), "constant"));
    assertEquals(
        new Momentum(new Schedule.Cosine(0.5, 100, 0), 0.8, true, 0.25),
        optimizer(
            "resnet20",
            Map.of("weightDecay", 0.25, "learningRate", 0.5, "momentum", 0.8, "nesterov", true),
            "cosine"));
  }

  /** The recipe's decay is that of plain descent. */
  @Test
  void otherOptimizersDecayAsTheyDoThemselves() {
    assertEquals(new AdamW(0.1, 0.01), optimizer("resnet20", Map.of("name", "adamw"), "constant"));
  }

  @ParameterizedTest
  @MethodSource("names")
  void everyOptimizerResolvesToItself(OptimizerSpecification.Name name) {
    optimizer("lenet5", Map.of("name", name), "");
  }

  static OptimizerSpecification.Name[] names() {
    return OptimizerSpecification.Name.values();
  }

  @Test
  void stepsSpanTheScheduleAndTheEpochsThatTheyBegin() {
    Assembly parts =
        new Assembly(
            JobSpecification.of("lenet5")
                .with("/training/steps", 11)
                .with("/training/batchSize", 10)
                .with("/training/clip", 2)
                .with("/training/schedule", "cosine"));
    assertEquals(OptionalInt.of(11), parts.steps());
    assertEquals(2, parts.epochs(100));
    Momentum moving = new Momentum(new Schedule.Cosine(0.01, 11, 0), 0.9, false, 0);
    assertEquals(moving.clip(GradientClip.byNorm(2)), parts.optimizer(100));
  }

  @Test
  void logMaxTakesTheRangeOfTheHalf() {
    JobSpecification job =
        JobSpecification.of("lenet5")
            .with("/precision/lossScale", "logmax")
            .with("/precision/half", "bf16");
    assertEquals(
        Optional.of(LossScale.logMax(DType.BF16)), new Assembly(job).options().step().lossScale());
  }

  @ParameterizedTest
  @MethodSource("scales")
  void everyLossScaleResolvesToItself(String name) {
    JobSpecification job = JobSpecification.of("lenet5").with("/precision/lossScale", name);
    assertEquals(
        Optional.of(LossScale.named(name, DType.FP16)),
        new Assembly(job.resolved()).options().step().lossScale());
  }

  static List<String> scales() {
    return LossScale.names();
  }

  @Test
  void openSeq2SeqSpellsTheSame() {
    JobSpecification theirs =
        JobSpecification.ofJson(
            """
            {"precision": {"dtype": "mixed", "loss_scaling": "Backoff", "iter_size": 2,
                "loss_scaling_params": {"scale_max": 1024, "step_window": 5},
                "encoder_params": {"dtype": "float32"}}}""");
    JobSpecification ours =
        JobSpecification.ofJson(
            """
            {"precision": {"level": "O2", "parts": {"/encoder": {"dtype": "fp32"}},
                "lossScale": {"rule": "backoff", "init": 1024, "max": 1024, "window": 5}},
             "training": {"accumulation": 2}}""");
    assertEquals(new Assembly(ours).options(), new Assembly(theirs).options());
    assertEquals(new Assembly(ours).level(), new Assembly(theirs).level());
  }

  @Test
  void diagnosisIsWhatIsAskedFor() {
    JobSpecification job =
        JobSpecification.of("lenet5")
            .with("/precision/options/fpExceptions", List.of("inv", "div0"))
            .with("/precision/options/diagnose", true)
            .with("/precision/options/demotion", Map.of("after", 3, "within", 9));
    assertEquals(
        Diagnosis.off().stoppingAt(Trap.INV, Trap.DIV0).naming().demoting(new Demotion(3, 9)),
        new Assembly(job).options().run().diagnosis());
    JobSpecification silent = JobSpecification.of("lenet5");
    assertEquals(Diagnosis.off(), new Assembly(silent).options().run().diagnosis());
  }

  @Test
  void parametersAreKeptInHalfWhereThatIsSaid() {
    JobSpecification usual = JobSpecification.of("lenet5").with("/precision/half", "bf16");
    assertEquals(DType.FP32, new Assembly(usual).storage());
    JobSpecification half = usual.with("/precision/options/halfParameters", true);
    assertEquals(DType.BF16, new Assembly(half).storage());
  }

  @Test
  void gradientsAreClippedByNormOrByValue() {
    JobSpecification job = JobSpecification.of("lenet5").with("/training/schedule", "constant");
    Momentum moving = new Momentum(0.01, 0.9);
    JobSpecification norm = job.with("/training/clip", Map.of("norm", 2));
    assertEquals(moving.clip(GradientClip.byNorm(2)), new Assembly(norm).optimizer(100));
    JobSpecification value = job.with("/training/clip", Map.of("value", 0.5));
    assertEquals(moving.clip(GradientClip.byValue(0.5)), new Assembly(value).optimizer(100));
  }

  /** The image of a sample whose pixels are all 1, after what is done to it. */
  private static double[] changed(SampleChange change) {
    try (TensorScope scope = TensorScope.open()) {
      double[] ones = new double[32 * 32];
      Arrays.fill(ones, 1);
      Tensor image = Tensor.of(scope, TensorSpec.of(DType.FP32, 1, 1, 32, 32), ones);
      change.apply(List.of(image), 0, 0);
      return image.toArray();
    }
  }

  @Test
  void testsSeeWhatDrawsNothingAndTrainingSeesAll() {
    JobSpecification job =
        JobSpecification.of("lenet5")
            .with(
                "/dataset/config/augmentations",
                List.of(
                    Map.of("augmentation", "Normalize", "mean", 3, "deviation", 4),
                    Map.of("augmentation", "CutOut", "length", 8, "fill", 9)));
    Assembly parts = new Assembly(job);
    assertEquals(
        Set.of(-0.5), Arrays.stream(changed(parts.testing())).boxed().collect(Collectors.toSet()));
    assertEquals(
        Set.of(-0.5, 9.0),
        Arrays.stream(changed(parts.loading().change())).boxed().collect(Collectors.toSet()));
    SampleChange none = new Assembly(JobSpecification.of("lenet5")).testing();
    assertEquals(1, Arrays.stream(changed(none)).max().orElseThrow());
  }
}
