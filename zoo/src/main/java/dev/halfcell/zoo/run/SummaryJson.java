package dev.halfcell.zoo.run;

import java.util.OptionalDouble;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.json.JsonFactory;

/**
 * A summary as JSON. The keys are stable: others read them. A number that is not finite or not
 * known is null.
 */
final class SummaryJson {
  private static final String FINAL_SCALE = "final_loss_scale";

  private SummaryJson() {}

  /** The loss scale in such a text. */
  static OptionalDouble finalScale(String text) {
    try (JsonParser in = new JsonFactory().createParser(ObjectReadContext.empty(), text)) {
      while (in.nextToken() != null) {
        if (in.currentToken() == JsonToken.PROPERTY_NAME
            && FINAL_SCALE.equals(in.currentName())
            && in.nextToken().isNumeric()) {
          return OptionalDouble.of(in.getDoubleValue());
        }
      }
    }
    return OptionalDouble.empty();
  }

  /** The text of {@code summary.json}. */
  static String of(RunSummary summary) {
    return JsonText.indented(
        to -> {
          settings(to, summary);
          results(to, summary);
        });
  }

  private static void settings(JsonGenerator to, RunSummary summary) {
    Settings settings = summary.settings();
    to.writeStringProperty("network", settings.network());
    to.writeStringProperty("level", settings.level().label());
    to.writeStringProperty("half", settings.half().label());
    to.writeStringProperty("loss_scale", settings.lossScale());
    to.writeStringProperty("device", settings.device());
    to.writeNumberProperty("threads", settings.threads());
    to.writeStringProperty("cpu", summary.cpu());
    to.writeStringProperty("dataset", settings.dataset());
    to.writeNumberProperty("epochs", settings.length().epochs());
    to.writeNumberProperty("batch_size", settings.length().batchSize());
  }

  private static void results(JsonGenerator to, RunSummary summary) {
    RunTotals totals = summary.totals();
    to.writeNumberProperty("epochs_completed", totals.epochs());
    to.writeBooleanProperty("stopped_early", summary.stoppedEarly());
    summary
        .best()
        .ifPresent(
            best -> {
              to.writeNumberProperty("best_epoch", best.epoch());
              JsonText.number(to, "best_" + best.metric(), best.value());
            });
    to.writeNumberProperty("steps", totals.steps());
    to.writeNumberProperty("overflow_steps", totals.overflows());
    to.writeNumberProperty("refused_steps", totals.refused());
    to.writeNumberProperty("loss_scale_changes", totals.scaleChanges());
    JsonText.number(to, FINAL_SCALE, totals.scale());
    JsonText.number(to, "final_train_loss", totals.lastEpochLoss());
    summary.test().write(to, "");
    summary.averaged().ifPresent(scores -> scores.write(to, "ema_"));
    JsonText.number(to, "step_ms_median", totals.medianMilliseconds());
    JsonText.number(to, "samples_per_second", totals.samplesPerSecond());
    summary
        .memory()
        .ifPresentOrElse(
            memory -> {
              to.writeNumberProperty("planned_activation_bytes", memory.activationBytes());
              to.writeNumberProperty("planned_peak_bytes", memory.peakBytes());
            },
            () -> {
              to.writeNullProperty("planned_activation_bytes");
              to.writeNullProperty("planned_peak_bytes");
            });
    summary
        .peakResident()
        .ifPresentOrElse(
            bytes -> to.writeNumberProperty("peak_rss_bytes", bytes),
            () -> to.writeNullProperty("peak_rss_bytes"));
    MemoryJson.write(to, summary.estimate());
    to.writeArrayPropertyStart("demoted_cells");
    summary.demoted().forEach(cell -> to.writeString(cell.text()));
    to.writeEndArray();
    to.writeNumberProperty("seed", summary.settings().seed());
    to.writeObjectPropertyStart("versions");
    summary.versions().forEach(to::writeStringProperty);
    to.writeEndObject();
  }
}
