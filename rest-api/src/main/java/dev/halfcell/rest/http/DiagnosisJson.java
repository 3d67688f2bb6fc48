package dev.halfcell.rest.http;

import dev.halfcell.rest.service.OverflowReport;
import java.util.Map;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** A report of overflows as JSON. */
final class DiagnosisJson {
  private DiagnosisJson() {}

  static ObjectNode of(OverflowReport report) {
    ObjectNode node = Json.object();
    node.put("steps", report.steps());
    node.put("overflowSteps", report.overflows());
    node.put("skippedSteps", report.skipped());
    report.firstOverflow().ifPresent(step -> node.put("firstOverflow", step));
    report.lastOverflow().ifPresent(step -> node.put("lastOverflow", step));
    node.put("scaleChanges", report.scaleChanges());
    report.scale().ifPresent(scale -> node.put("scale", scale));
    report.lowestScale().ifPresent(scale -> node.put("lowestScale", scale));
    report.highestScale().ifPresent(scale -> node.put("highestScale", scale));
    ArrayNode offenders = node.putArray("offenders");
    report.offenders().forEach(offender -> offender(offenders.addObject(), offender));
    return node;
  }

  private static void offender(
      ObjectNode to, Map.Entry<OverflowReport.Place, OverflowReport.Offences> offender) {
    to.put("path", offender.getKey().path());
    to.put("op", offender.getKey().op());
    to.put("direction", offender.getKey().direction());
    to.put("dtype", offender.getKey().dtype());
    to.put("kind", offender.getKey().kind());
    to.put("steps", offender.getValue().steps());
    to.put("firstStep", offender.getValue().firstStep());
    to.put("lastStep", offender.getValue().lastStep());
    if (Double.isFinite(offender.getValue().zeros())) {
      to.put("zeros", offender.getValue().zeros());
    }
    if (Double.isFinite(offender.getValue().subnormals())) {
      to.put("subnormals", offender.getValue().subnormals());
    }
  }
}
