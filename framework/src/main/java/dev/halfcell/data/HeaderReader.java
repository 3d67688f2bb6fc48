package dev.halfcell.data;

import dev.halfcell.tensor.DType;
import dev.halfcell.tensor.Shape;
import dev.halfcell.tensor.TensorSpec;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.StreamReadFeature;
import tools.jackson.core.json.JsonFactory;

/**
 * Reads the header of a safetensors file token by token and refuses whatever the format does not
 * have.
 *
 * @param refusal names the file
 * @param elementBytes how many bytes follow the header
 */
record HeaderReader(SafeTensors.Refusal refusal, long elementBytes) {
  SafeTensorsHeader read(byte[] header) {
    refusal.unless(header[0] == '{', "a header that starts with {", "byte " + header[0]);
    JsonFactory factory =
        JsonFactory.builder().enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION).build();
    try (JsonParser json = factory.createParser(ObjectReadContext.empty(), text(header))) {
      SafeTensorsHeader read = read(json);
      requireWhole(read.entries());
      return read;
    } catch (JacksonException e) {
      throw refusal.because("a header in JSON", String.valueOf(e.getOriginalMessage()), e);
    }
  }

  /** A parser would guess the encoding, and repair what is malformed. */
  private String text(byte[] header) {
    try {
      return StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(header)).toString();
    } catch (CharacterCodingException e) {
      throw refusal.because("a header in UTF-8", "other bytes", e);
    }
  }

  private SafeTensorsHeader read(JsonParser json) {
    List<SafeTensorsHeader.Entry> entries = new ArrayList<>();
    Map<String, String> metadata = new LinkedHashMap<>();
    next(json, JsonToken.START_OBJECT, "an object");
    while (json.nextToken() == JsonToken.PROPERTY_NAME) {
      String name = json.currentName();
      next(json, JsonToken.START_OBJECT, "an object for " + name);
      if (name.equals(SafeTensorsHeader.METADATA)) {
        while (json.nextToken() == JsonToken.PROPERTY_NAME) {
          String key = json.currentName();
          next(json, JsonToken.VALUE_STRING, "strings alone in " + name);
          metadata.put(key, json.getString());
        }
      } else {
        entries.add(entry(name, json));
      }
    }
    refusal.unless(json.nextToken() == null, "nothing behind the header's object", "more");
    entries.sort(
        Comparator.comparingLong(SafeTensorsHeader.Entry::begin)
            .thenComparingLong(SafeTensorsHeader.Entry::end));
    return new SafeTensorsHeader(entries, metadata);
  }

  private SafeTensorsHeader.Entry entry(String name, JsonParser json) {
    Optional<DType> dtype = Optional.empty();
    Optional<List<Long>> shape = Optional.empty();
    Optional<List<Long>> offsets = Optional.empty();
    while (json.nextToken() == JsonToken.PROPERTY_NAME) {
      String key = json.currentName();
      switch (key) {
        case "dtype" -> dtype = Optional.of(dtype(name, json));
        case "shape" -> shape = Optional.of(numbers(name, key, json));
        case "data_offsets" -> offsets = Optional.of(numbers(name, key, json));
        default ->
            throw refusal.missing("dtype, shape and data_offsets of " + name, "a key " + key);
      }
    }
    if (dtype.isEmpty() || shape.isEmpty() || offsets.isEmpty()) {
      throw refusal.missing("dtype, shape and data_offsets of " + name, "not all of them");
    }
    return entry(name, dtype.get(), shape.get(), offsets.get());
  }

  private SafeTensorsHeader.Entry entry(
      String name, DType dtype, List<Long> sizes, List<Long> offsets) {
    refusal.unless(
        sizes.stream().allMatch(size -> size >= 1 && size <= Integer.MAX_VALUE),
        "sizes from 1 to 2147483647 in the shape of " + name,
        sizes.toString());
    refusal.unless(offsets.size() == 2, "two data_offsets of " + name, offsets.toString());
    long begin = offsets.getFirst();
    long end = offsets.getLast();
    refusal.unless(
        begin >= 0 && begin <= end && end <= elementBytes,
        "data_offsets of " + name + " from 0 to " + elementBytes + ", the end of the file",
        offsets.toString());
    List<Integer> dims = sizes.stream().map(Long::intValue).toList();
    refusal.unless(
        Shape.countable(sizes.stream().mapToLong(Long::longValue).toArray()),
        "at most 2147483647 elements in the shape of " + name,
        sizes.toString());
    TensorSpec spec = new TensorSpec(dtype, new Shape(dims));
    refusal.unless(
        spec.bytes() == end - begin,
        "data_offsets of " + name + " that hold " + spec,
        (end - begin) + " bytes");
    return new SafeTensorsHeader.Entry(name, spec, begin, end);
  }

  private DType dtype(String name, JsonParser json) {
    next(json, JsonToken.VALUE_STRING, "a string as dtype of " + name);
    String dtype = json.getString();
    return SafeTensorsHeader.dtype(dtype)
        .orElseThrow(
            () ->
                refusal.missing(
                    "dtype F64, F32, F16, BF16, I64, I32, U8 or BOOL of " + name, dtype));
  }

  private List<Long> numbers(String name, String key, JsonParser json) {
    String expected = "an array of whole numbers as " + key + " of " + name;
    next(json, JsonToken.START_ARRAY, expected);
    List<Long> numbers = new ArrayList<>();
    while (json.nextToken() != JsonToken.END_ARRAY) {
      refusal.unless(
          json.currentToken() == JsonToken.VALUE_NUMBER_INT
              && json.getNumberType() != JsonParser.NumberType.BIG_INTEGER,
          expected,
          "something else");
      numbers.add(json.getLongValue());
    }
    return numbers;
  }

  private void next(JsonParser json, JsonToken wanted, String expected) {
    JsonToken token = json.nextToken();
    refusal.unless(token == wanted, expected, String.valueOf(token));
  }

  private void requireWhole(List<SafeTensorsHeader.Entry> entries) {
    long end = 0;
    for (SafeTensorsHeader.Entry entry : entries) {
      refusal.unless(
          entry.begin() == end,
          entry.name() + " to begin at " + end + ", where the tensor before it ends",
          String.valueOf(entry.begin()));
      end = entry.end();
    }
    refusal.unless(
        end == elementBytes,
        elementBytes + " bytes of tensors, as many as follow the header",
        end + " bytes");
  }
}
