package dev.halfcell.cli.run;

import java.io.StringWriter;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.ObjectWriteContext;
import tools.jackson.core.json.JsonFactory;
import tools.jackson.core.util.DefaultPrettyPrinter;

/**
 * A summary as JSON. The keys are stable: others read them. A number that is not finite or not
 * known is null.
 */
final class SummaryJson {
  private SummaryJson() {}

  /** The text of {@code summary.json}. */
  static String of(RunSummary summary) {
    StringWriter text = new StringWriter();
    try (JsonGenerator to = new JsonFactory().createGenerator(new Pretty(), text)) {
      to.writeStartObject();
      settings(to, summary);
      results(to, summary);
      to.writeEndObject();
    }
    return text + "\n";
  }

  private static void settings(JsonGenerator to, RunSummary summary) {
    Settings settings = summary.settings();
    to.writeStringProperty("network", settings.network());
    to.writeStringProperty("level", settings.level().name());
    to.writeStringProperty("half", settings.half().label());
    to.writeStringProperty("device", settings.device());
    to.writeStringProperty("cpu", summary.cpu());
    to.writeStringProperty("dataset", settings.dataset());
    to.writeNumberProperty("epochs", settings.length().epochs());
    to.writeNumberProperty("batch_size", settings.length().batchSize());
  }

  private static void results(JsonGenerator to, RunSummary summary) {
    RunTotals totals = summary.totals();
    to.writeNumberProperty("steps", totals.steps());
    to.writeNumberProperty("overflow_steps", totals.overflows());
    JsonLine.number(to, "final_loss_scale", totals.scale());
    JsonLine.number(to, "final_train_loss", totals.lastEpochLoss());
    JsonLine.number(to, "test_accuracy", summary.testAccuracy());
    JsonLine.number(to, "step_ms_median", totals.medianMilliseconds());
    JsonLine.number(to, "samples_per_second", totals.samplesPerSecond());
    to.writeNumberProperty("planned_activation_bytes", summary.memory().activationBytes());
    to.writeNumberProperty("planned_peak_bytes", summary.memory().peakBytes());
    summary
        .peakResident()
        .ifPresentOrElse(
            bytes -> to.writeNumberProperty("peak_rss_bytes", bytes),
            () -> to.writeNullProperty("peak_rss_bytes"));
    to.writeNumberProperty("seed", summary.settings().seed());
    to.writeObjectPropertyStart("versions");
    summary.versions().forEach(to::writeStringProperty);
    to.writeEndObject();
  }

  /** Indented, a property on a line. */
  private static final class Pretty extends ObjectWriteContext.Base {
    @Override
    public tools.jackson.core.PrettyPrinter getPrettyPrinter() {
      return new DefaultPrettyPrinter();
    }

    @Override
    public boolean hasPrettyPrinter() {
      return true;
    }
  }
}
