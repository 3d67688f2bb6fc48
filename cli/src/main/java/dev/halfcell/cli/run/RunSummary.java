package dev.halfcell.cli.run;

import dev.halfcell.backend.PlanReport;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.OptionalLong;

/**
 * What came out of a run.
 *
 * @param cpu the processor's model name
 * @param totals what its steps add up to
 * @param testAccuracy the share of test samples that were classified right, from 0 to 1
 * @param averagedAccuracy the same with the moving averages of the parameters, where they were kept
 * @param memory what the plan of a full batch takes
 * @param peakResident the most bytes that the process held resident; empty where unknown
 * @param versions of what it ran on, by name
 */
public record RunSummary(
    Settings settings,
    String cpu,
    RunTotals totals,
    double testAccuracy,
    OptionalDouble averagedAccuracy,
    PlanReport memory,
    OptionalLong peakResident,
    Map<String, String> versions) {}
