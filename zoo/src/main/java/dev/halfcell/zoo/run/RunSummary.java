package dev.halfcell.zoo.run;

import dev.halfcell.amp.TrainStepCell;
import dev.halfcell.backend.PlanReport;
import dev.halfcell.op.CellPath;
import dev.halfcell.train.Inference;
import dev.halfcell.zoo.host.Cpu;
import dev.halfcell.zoo.host.Memory;
import dev.halfcell.zoo.host.Versions;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * What came out of a run.
 *
 * @param cpu the processor's model name
 * @param totals what its steps add up to
 * @param stoppedEarly whether it ended because it got no better
 * @param best the best epoch, where its weights were kept
 * @param test how good it is on the test samples
 * @param averaged the same with the moving averages of the parameters, where they were kept
 * @param memory what the plan of a full batch takes; none where steps run op by op
 * @param estimate what the process was to hold at the most
 * @param demoted the cells that were moved to FP32
 * @param peakResident the most bytes that the process held resident; empty where unknown
 * @param versions of what it ran on, by name
 */
public record RunSummary(
    Settings settings,
    String cpu,
    RunTotals totals,
    boolean stoppedEarly,
    Optional<Best> best,
    TestScores test,
    Optional<TestScores> averaged,
    Optional<PlanReport> memory,
    MemoryEstimate estimate,
    List<CellPath> demoted,
    OptionalLong peakResident,
    Map<String, String> versions) {
  /**
   * The best epoch.
   *
   * @param metric what epochs were compared by
   * @param epoch counted from 1
   */
  public record Best(String metric, int epoch, double value) {}

  /** Tests what was trained, and sums up. */
  static RunSummary of(
      RunParts parts, RunTotals totals, EpochWatch watch, Optional<PlanReport> memory) {
    TrainStepCell train = parts.train();
    return new RunSummary(
        parts.settings(),
        Cpu.here().name(),
        totals,
        watch.reached() && totals.epochs() < parts.job().length().epochs(),
        watch.summary(),
        scores(train.inference(), parts),
        averaged(parts),
        memory,
        parts.estimate(),
        parts.demoted(),
        Memory.peakResident(),
        Versions.with(train.backend()));
  }

  private static Optional<TestScores> averaged(RunParts parts) {
    return parts.train().loop().step().rules().ema().isPresent()
        ? Optional.of(scores(parts.train().averagedInference(), parts))
        : Optional.empty();
  }

  private static TestScores scores(Inference of, RunParts parts) {
    try (of) {
      return TestScores.of(of, parts.data().test(), parts.job().length().batchSize());
    }
  }
}
