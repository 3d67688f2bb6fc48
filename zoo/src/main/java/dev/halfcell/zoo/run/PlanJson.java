package dev.halfcell.zoo.run;

import dev.halfcell.backend.PlanReport;
import dev.halfcell.backend.PlannedTask;
import java.util.Locale;
import tools.jackson.core.JsonGenerator;

/** A compiled step in JSON. The keys are stable: others read them. */
final class PlanJson {
  private PlanJson() {}

  /** As the property {@code plan}. */
  static void write(JsonGenerator to, PlanReport plan) {
    to.writeObjectPropertyStart("plan");
    memory(to, plan.memory());
    to.writeNumberProperty("flops", plan.flops());
    to.writeArrayPropertyStart("tasks");
    plan.schedule().forEach(task -> task(to, task));
    to.writeEndArray();
    to.writeEndObject();
  }

  private static void memory(JsonGenerator to, PlanReport.Memory memory) {
    to.writeNumberProperty("peak_bytes", memory.peak());
    if (memory.bound().isPresent()) {
      to.writeNumberProperty("bound_bytes", memory.bound().getAsLong());
    } else {
      to.writeNullProperty("bound_bytes");
    }
    to.writeNumberProperty("activation_bytes", memory.activations());
    to.writeNumberProperty("constant_bytes", memory.constants());
    to.writeNumberProperty("state_bytes", memory.state());
    to.writeNumberProperty("heap_bytes", memory.heap());
  }

  private static void task(JsonGenerator to, PlannedTask task) {
    to.writeStartObject();
    to.writeStringProperty("part", task.part().name().toLowerCase(Locale.ROOT));
    to.writeStringProperty("cell", task.at().text());
    to.writeStringProperty("op", task.label());
    to.writeStringProperty("kernel", task.kernel());
    to.writeArrayPropertyStart("outputs");
    task.out().forEach(out -> output(to, out));
    to.writeEndArray();
    to.writeNumberProperty("bytes", task.cost().bytes());
    to.writeNumberProperty("workspace_bytes", task.cost().workspaceBytes());
    to.writeNumberProperty("flops", task.cost().flops());
    to.writeNumberProperty("reorders", task.cost().reorders());
    to.writeEndObject();
  }

  private static void output(JsonGenerator to, PlannedTask.Out out) {
    to.writeStartObject();
    to.writeStringProperty("spec", out.spec().toString());
    to.writeStringProperty("layout", out.layout());
    to.writeEndObject();
  }
}
