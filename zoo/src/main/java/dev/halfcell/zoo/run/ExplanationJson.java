package dev.halfcell.zoo.run;

import dev.halfcell.amp.precision.Explanation;
import dev.halfcell.amp.precision.PlanRow;
import dev.halfcell.backend.PlanReport;
import java.util.Optional;
import tools.jackson.core.JsonGenerator;

/** The explanation of a plan as JSON. The keys are stable: others read them. */
public final class ExplanationJson {
  private ExplanationJson() {}

  /**
   * {@code level, half, cells: [{path, class, parameters, compute, output, reason}], notes: [...],
   * totals, estimated_peak_bytes, estimated_parts: {name: bytes}, not_estimated}; the parameters of
   * a cell that has none of its own are null. There is no estimate where the device refuses what is
   * explained.
   *
   * @param unknown why there is no estimate; empty where that is no failure
   * @param compiled the compiled step, where it is asked for
   */
  public static String of(
      Explanation plan,
      Optional<MemoryEstimate> memory,
      String unknown,
      Optional<PlanReport> compiled) {
    return JsonText.indented(
        to -> {
          to.writeStringProperty("level", plan.level().label());
          to.writeStringProperty("half", plan.half().label());
          to.writeArrayPropertyStart("cells");
          plan.rows().forEach(row -> cell(to, row));
          to.writeEndArray();
          to.writeArrayPropertyStart("notes");
          plan.notes().forEach(to::writeString);
          to.writeEndArray();
          totals(to, plan.totals());
          memory.ifPresent(whole -> MemoryJson.write(to, whole));
          if (!unknown.isEmpty()) {
            to.writeStringProperty("not_estimated", unknown);
          }
          compiled.ifPresent(step -> PlanJson.write(to, step));
        });
  }

  private static void cell(JsonGenerator to, PlanRow row) {
    to.writeStartObject();
    to.writeStringProperty("path", row.path().text());
    to.writeStringProperty("class", row.cell());
    row.parameters()
        .ifPresentOrElse(
            dtype -> to.writeStringProperty("parameters", dtype.label()),
            () -> to.writeNullProperty("parameters"));
    to.writeStringProperty("compute", row.compute());
    to.writeStringProperty("output", row.output());
    to.writeStringProperty("reason", row.reason());
    to.writeEndObject();
  }

  private static void totals(JsonGenerator to, Explanation.Totals totals) {
    to.writeObjectPropertyStart("totals");
    to.writeNumberProperty("cells", totals.cells());
    to.writeNumberProperty("cells_in_half", totals.inHalf());
    to.writeNumberProperty("casts_to_half", totals.castsToHalf());
    to.writeNumberProperty("casts_to_fp32", totals.castsToFull());
    to.writeNumberProperty("activation_bytes", totals.activationBytes());
    to.writeNumberProperty("bytes_saved", totals.bytesSaved());
    to.writeEndObject();
  }
}
