package dev.halfcell.zoo.run;

import tools.jackson.core.JsonGenerator;

/** A memory estimate as JSON. The keys are stable: others read them. */
final class MemoryJson {
  private MemoryJson() {}

  /** {@code estimated_peak_bytes, estimated_parts: {name: bytes, ...}}. */
  static void write(JsonGenerator to, MemoryEstimate estimate) {
    to.writeNumberProperty("estimated_peak_bytes", estimate.bytes());
    to.writeObjectPropertyStart("estimated_parts");
    estimate.parts().forEach(part -> to.writeNumberProperty(part.name(), part.bytes()));
    to.writeEndObject();
  }
}
