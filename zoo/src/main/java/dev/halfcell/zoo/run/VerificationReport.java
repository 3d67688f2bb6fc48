package dev.halfcell.zoo.run;

import dev.halfcell.verify.Verification;
import java.util.List;
import java.util.Locale;
import tools.jackson.core.JsonGenerator;

/**
 * The rows of a verification together.
 *
 * @param folder where the golden vectors lie
 * @param device the name of the backend that computed
 */
public record VerificationReport(String folder, String device, List<Verification> rows) {
  public VerificationReport {
    rows = List.copyOf(rows);
  }

  /** Whether a row failed. */
  public boolean failed() {
    return count(Verification.Status.FAILED) > 0;
  }

  /** How many rows went which way, as the last line of the report. */
  public String counts() {
    return "%d passed, %d failed, %d not covered, %d data missing"
        .formatted(
            count(Verification.Status.PASSED),
            count(Verification.Status.FAILED),
            count(Verification.Status.NOT_COVERED),
            count(Verification.Status.DATA_MISSING));
  }

  private long count(Verification.Status status) {
    return rows.stream().filter(row -> row.status() == status).count();
  }

  /**
   * The report as a JSON object: {@code folder, device, counts, rows}. A number that is not finite
   * is null.
   */
  public String json() {
    return JsonText.indented(
        to -> {
          to.writeStringProperty("folder", folder);
          to.writeStringProperty("device", device);
          to.writeObjectPropertyStart("counts");
          for (Verification.Status status : Verification.Status.values()) {
            to.writeNumberProperty(status.name().toLowerCase(Locale.ROOT), count(status));
          }
          to.writeEndObject();
          to.writeArrayPropertyStart("rows");
          rows.forEach(row -> write(to, row));
          to.writeEndArray();
        });
  }

  private static void write(JsonGenerator to, Verification row) {
    to.writeStartObject();
    to.writeStringProperty("file", row.file());
    to.writeStringProperty("variant", row.variant());
    JsonText.number(to, "worst_error", row.worstError());
    JsonText.number(to, "tolerance", row.tolerance());
    to.writeStringProperty("status", row.status().name().toLowerCase(Locale.ROOT));
    to.writeStringProperty("detail", row.detail());
    to.writeEndObject();
  }
}
