package dev.halfcell.zoo.run;

import java.io.StringWriter;
import java.util.function.Consumer;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.ObjectWriteContext;
import tools.jackson.core.PrettyPrinter;
import tools.jackson.core.json.JsonFactory;
import tools.jackson.core.util.DefaultPrettyPrinter;

/** A JSON object as text. */
final class JsonText {
  private static final JsonFactory JSON = new JsonFactory();

  private JsonText() {}

  /** The object whose properties {@code properties} writes, on one line. */
  static String line(Consumer<JsonGenerator> properties) {
    return write(ObjectWriteContext.empty(), properties);
  }

  /** The same with a property on each line. */
  static String indented(Consumer<JsonGenerator> properties) {
    return write(new Indented(), properties) + "\n";
  }

  private static String write(ObjectWriteContext context, Consumer<JsonGenerator> properties) {
    StringWriter text = new StringWriter();
    try (JsonGenerator to = JSON.createGenerator(context, text)) {
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

  private static final class Indented extends ObjectWriteContext.Base {
    @Override
    public PrettyPrinter getPrettyPrinter() {
      return new DefaultPrettyPrinter();
    }

    @Override
    public boolean hasPrettyPrinter() {
      return true;
    }
  }
}
