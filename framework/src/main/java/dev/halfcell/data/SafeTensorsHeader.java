package dev.halfcell.data;

import dev.halfcell.tensor.DType;
import dev.halfcell.tensor.Tensor;
import dev.halfcell.tensor.TensorSpec;
import java.io.ByteArrayOutputStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.ObjectWriteContext;
import tools.jackson.core.json.JsonFactory;

/**
 * The JSON at the head of a safetensors file.
 *
 * @param entries the tensors, by where they begin
 * @param metadata the notes
 */
record SafeTensorsHeader(List<Entry> entries, Map<String, String> metadata) {
  static final int MOST_BYTES = 8 << 20;
  static final String METADATA = "__metadata__";
  private static final int ALIGNMENT = 8;

  /** One tensor: its elements lie from {@code begin} to {@code end} behind the header. */
  record Entry(String name, TensorSpec spec, long begin, long end) {}

  SafeTensorsHeader {
    entries = List.copyOf(entries);
  }

  /** The header of a file to be written. */
  static SafeTensorsHeader of(SafeTensors contents, SafeTensors.Refusal refusal) {
    List<Entry> entries = new ArrayList<>();
    long begin = 0;
    for (Map.Entry<String, Tensor> each : contents.tensors().entrySet()) {
      TensorSpec spec = each.getValue().spec();
      refusal.unless(!each.getKey().equals(METADATA), "names of tensors", METADATA);
      entries.add(new Entry(each.getKey(), spec, begin, begin + spec.bytes()));
      begin += spec.bytes();
    }
    return new SafeTensorsHeader(entries, contents.metadata());
  }

  /** The name of a dtype in the format. */
  static String name(DType dtype) {
    return switch (dtype) {
      case FP64 -> "F64";
      case FP32 -> "F32";
      case FP16 -> "F16";
      case BF16 -> "BF16";
      case INT64 -> "I64";
      case INT32 -> "I32";
      case UINT8 -> "U8";
      case BOOL -> "BOOL";
    };
  }

  /** The dtype of a name in the format. */
  static Optional<DType> dtype(String name) {
    return Arrays.stream(DType.values()).filter(dtype -> name(dtype).equals(name)).findFirst();
  }

  /** The JSON in UTF-8, filled up with spaces so that the elements begin on a boundary of 8. */
  byte[] encode() {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    try (JsonGenerator json = new JsonFactory().createGenerator(ObjectWriteContext.empty(), out)) {
      json.writeStartObject();
      if (!metadata.isEmpty()) {
        json.writeObjectPropertyStart(METADATA);
        metadata.forEach(json::writeStringProperty);
        json.writeEndObject();
      }
      entries.forEach(entry -> encode(entry, json));
      json.writeEndObject();
    }
    while (out.size() % ALIGNMENT != 0) {
      out.write(' ');
    }
    return out.toByteArray();
  }

  private static void encode(Entry entry, JsonGenerator json) {
    json.writeObjectPropertyStart(entry.name());
    json.writeStringProperty("dtype", name(entry.spec().dtype()));
    json.writeArrayPropertyStart("shape");
    entry.spec().shape().dims().forEach(json::writeNumber);
    json.writeEndArray();
    json.writeArrayPropertyStart("data_offsets");
    json.writeNumber(entry.begin());
    json.writeNumber(entry.end());
    json.writeEndArray();
    json.writeEndObject();
  }
}
