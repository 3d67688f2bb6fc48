package dev.halfcell.zoo.run;

import dev.halfcell.backend.PlanReport;
import dev.halfcell.op.CellPath;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * What came out of a run.
 *
 * @param cpu the processor's model name
 * @param totals what its steps add up to
 * @param test how good it is on the test samples
 * @param averaged the same with the moving averages of the parameters, where they were kept
 * @param memory what the plan of a full batch takes; none where steps run op by op
 * @param demoted the cells that were moved to FP32
 * @param peakResident the most bytes that the process held resident; empty where unknown
 * @param versions of what it ran on, by name
 */
public record RunSummary(
    Settings settings,
    String cpu,
    RunTotals totals,
    TestScores test,
    Optional<TestScores> averaged,
    Optional<PlanReport> memory,
    List<CellPath> demoted,
    OptionalLong peakResident,
    Map<String, String> versions) {}
