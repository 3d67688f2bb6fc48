package dev.halfcell.rest.client;

import java.util.List;
import java.util.Map;
import java.util.Optional;

/** A plan as it is sent: the keys of {@code halfcell explain --json}, in snake case. */
record PlanBody(
    String level,
    String half,
    List<Plan.PlannedCell> cells,
    List<String> notes,
    Plan.Totals totals,
    Optional<Long> estimatedPeakBytes,
    Optional<Map<String, Long>> estimatedParts,
    Optional<Long> estimatedDeviceBytes,
    Optional<Map<String, Long>> estimatedDeviceParts)
    implements Json.InSnakeCase {
  PlanBody {
    cells = List.copyOf(cells);
    notes = List.copyOf(notes);
  }

  Plan plan() {
    Optional<Plan.OnDevice> device =
        estimatedDeviceBytes.map(
            bytes -> new Plan.OnDevice(bytes, estimatedDeviceParts.orElse(Map.of())));
    Optional<Plan.Memory> memory =
        estimatedPeakBytes.map(
            bytes -> new Plan.Memory(bytes, estimatedParts.orElse(Map.of()), device));
    return new Plan(level, half, cells, notes, totals, memory);
  }
}
