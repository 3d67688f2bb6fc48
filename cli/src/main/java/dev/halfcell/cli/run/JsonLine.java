package dev.halfcell.cli.run;

import java.io.StringWriter;
import java.util.function.Consumer;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.ObjectWriteContext;
import tools.jackson.core.json.JsonFactory;

/** One JSON object as text. */
final class JsonLine {
  private JsonLine() {}

  /** The object whose properties {@code properties} writes, on one line. */
  static String of(JsonFactory json, Consumer<JsonGenerator> properties) {
    StringWriter text = new StringWriter();
    try (JsonGenerator to = json.createGenerator(ObjectWriteContext.empty(), text)) {
      to.writeStartObject();
      properties.accept(to);
      to.writeEndObject();
    }
    return text.toString();
  }

  /** A number, or null where it is not finite. */
  static void number(JsonGenerator to, String name, double value) {
    if (Double.isFinite(value)) {
      to.writeNumberProperty(name, value);
    } else {
      to.writeNullProperty(name);
    }
  }
}
