package dev.halfcell.amp.diagnosis;

import java.io.StringWriter;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.ObjectWriteContext;
import tools.jackson.core.json.JsonFactory;

/**
 * A report of underflow as JSON: {@code half}, {@code scale}, {@code best_scale} (null where
 * nothing can underflow), and {@code rows} with {@code path}, {@code parameter}, {@code in_half},
 * {@code elements}, {@code zeros}, {@code non_finite}, {@code flushed}, {@code subnormal} and
 * {@code exponents}, a count for each.
 */
record UnderflowJson(UnderflowReport report) {
  String text() {
    StringWriter text = new StringWriter();
    try (JsonGenerator to = new JsonFactory().createGenerator(ObjectWriteContext.empty(), text)) {
      to.writeStartObject();
      to.writeStringProperty("half", report.half().label());
      to.writeNumberProperty("scale", report.scale());
      report
          .bestScale()
          .ifPresentOrElse(
              best -> to.writeNumberProperty("best_scale", best),
              () -> to.writeNullProperty("best_scale"));
      to.writeArrayPropertyStart("rows");
      report.rows().forEach(row -> write(to, row));
      to.writeEndArray();
      to.writeEndObject();
    }
    return text.toString();
  }

  private void write(JsonGenerator to, UnderflowReport.Row row) {
    Exponents exponents = row.exponents();
    to.writeStartObject();
    to.writeStringProperty("path", row.path().text());
    to.writeBooleanProperty("parameter", row.parameter());
    to.writeBooleanProperty("in_half", row.inHalf());
    to.writeNumberProperty("elements", exponents.elements());
    to.writeNumberProperty("zeros", exponents.zeros());
    to.writeNumberProperty("non_finite", exponents.nonFinite());
    to.writeNumberProperty("flushed", exponents.flushed(report.half(), report.scale()));
    to.writeNumberProperty("subnormal", exponents.subnormal(report.half(), report.scale()));
    to.writeObjectPropertyStart("exponents");
    exponents
        .counts()
        .forEach((exponent, count) -> to.writeNumberProperty(String.valueOf(exponent), count));
    to.writeEndObject();
    to.writeEndObject();
  }
}
