package dev.halfcell.zoo.profile;

import dev.halfcell.backend.PlannedTask;
import java.io.StringWriter;
import java.util.List;
import java.util.Locale;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.ObjectWriteContext;
import tools.jackson.core.json.JsonFactory;

/**
 * Measured steps in the Trace Event Format, which Perfetto and chrome://tracing open: a track of
 * steps with their waits for data, and one of tasks. Times are in microseconds from the first step.
 * At most {@link #MOST_TASKS} tasks are written, in whole steps, the first of them in any case.
 *
 * <p>Source: "Trace Event Format", The Chromium Projects: the JSON object format, complete events
 * ("X") and metadata events ("M").
 */
final class TraceJson {
  /** About 30 MiB of text. */
  static final int MOST_TASKS = 100_000;

  private static final int PROCESS = 1;
  private static final int STEPS = 1;
  private static final int TASKS = 2;

  private final JsonGenerator to;
  private final long zero;

  private TraceJson(JsonGenerator to, long zero) {
    this.to = to;
    this.zero = zero;
  }

  static String of(List<StepTimes> measured) {
    StringWriter text = new StringWriter();
    try (JsonGenerator to = new JsonFactory().createGenerator(ObjectWriteContext.empty(), text)) {
      to.writeStartObject();
      to.writeStringProperty("displayTimeUnit", "ms");
      to.writeArrayPropertyStart("traceEvents");
      new TraceJson(to, measured.getFirst().begin()).events(measured);
      to.writeEndArray();
      to.writeEndObject();
    }
    return text.toString();
  }

  private void events(List<StepTimes> measured) {
    name("process_name", 0, "HalfCell");
    name("thread_name", STEPS, "steps");
    name("thread_name", TASKS, "tasks (each ends on all threads)");
    step(measured.getFirst());
    long tasks = measured.getFirst().tasks().size();
    for (StepTimes step : measured.subList(1, measured.size())) {
      tasks += step.tasks().size();
      if (tasks > MOST_TASKS) {
        return;
      }
      step(step);
    }
  }

  private void name(String kind, int thread, String name) {
    to.writeStartObject();
    to.writeStringProperty("ph", "M");
    to.writeNumberProperty("pid", PROCESS);
    to.writeNumberProperty("tid", thread);
    to.writeStringProperty("name", kind);
    to.writeObjectPropertyStart("args");
    to.writeStringProperty("name", name);
    to.writeEndObject();
    to.writeEndObject();
  }

  private void step(StepTimes step) {
    complete("step " + step.number(), "step", STEPS, step.begin(), step.nanos());
    to.writeEndObject();
    if (step.dataNanos() > 0) {
      complete("wait for data", "data", STEPS, step.begin(), step.dataNanos());
      to.writeEndObject();
    }
    step.tasks().forEach(this::task);
  }

  private void task(TaskTime time) {
    PlannedTask task = time.task();
    String part = task.part().name().toLowerCase(Locale.ROOT);
    complete(task.label(), part, TASKS, time.begin(), time.nanos());
    to.writeObjectPropertyStart("args");
    to.writeStringProperty("cell", task.at().text());
    to.writeStringProperty("kernel", task.kernel());
    to.writeNumberProperty("bytes", task.cost().bytes());
    to.writeNumberProperty("flops", task.cost().flops());
    to.writeEndObject();
    to.writeEndObject();
  }

  /** Begins an event; its arguments may follow. */
  private void complete(String name, String category, int thread, long begin, long nanos) {
    to.writeStartObject();
    to.writeStringProperty("ph", "X");
    to.writeStringProperty("name", name);
    to.writeStringProperty("cat", category);
    to.writeNumberProperty("pid", PROCESS);
    to.writeNumberProperty("tid", thread);
    to.writeNumberProperty("ts", (begin - zero) / 1e3);
    to.writeNumberProperty("dur", nanos / 1e3);
  }
}
