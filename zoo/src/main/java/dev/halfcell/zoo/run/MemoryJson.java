package dev.halfcell.zoo.run;

import java.util.List;
import tools.jackson.core.JsonGenerator;

/** A memory estimate as JSON. The keys are stable: others read them. */
final class MemoryJson {
  private MemoryJson() {}

  /**
   * {@code estimated_peak_bytes, estimated_parts: {name: bytes, ...}}, and {@code
   * estimated_device_bytes, estimated_device_parts} where a device has memory for itself.
   */
  static void write(JsonGenerator to, MemoryEstimate estimate) {
    write(to, "estimated_peak_bytes", estimate.bytes(), "estimated_parts", estimate.parts());
    estimate
        .device()
        .ifPresent(
            on ->
                write(
                    to,
                    "estimated_device_bytes",
                    on.bytes(),
                    "estimated_device_parts",
                    on.parts()));
  }

  private static void write(
      JsonGenerator to, String whole, long bytes, String each, List<MemoryEstimate.Part> parts) {
    to.writeNumberProperty(whole, bytes);
    to.writeObjectPropertyStart(each);
    parts.forEach(part -> to.writeNumberProperty(part.name(), part.bytes()));
    to.writeEndObject();
  }
}
