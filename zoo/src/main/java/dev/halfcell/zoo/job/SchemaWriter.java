package dev.halfcell.zoo.job;

import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * Makes a JSON schema (draft 2020-12) of records: of the same components and {@link Key}s that
 * {@link RecordReader} binds by. Each record is a definition of its own. One thread.
 */
final class SchemaWriter {
  private static final JsonNodeFactory NODES = JsonNodeFactory.instance;

  private final Map<String, ObjectNode> definitions = new TreeMap<>();

  private SchemaWriter() {}

  static ObjectNode schema(Class<? extends Record> root, String title) {
    SchemaWriter writer = new SchemaWriter();
    ObjectNode schema = NODES.objectNode();
    schema.put("$schema", "https://json-schema.org/draft/2020-12/schema").put("title", title);
    schema.setAll(writer.object(root));
    ObjectNode named = schema.putObject("$defs");
    writer.definitions.forEach(named::set);
    return schema;
  }

  private ObjectNode value(Type type, Bounds key) {
    Class<?> raw = RecordReader.raw(type);
    if (raw == Optional.class) {
      return value(RecordReader.inner(type, 0), key);
    }
    if (raw == List.class) {
      return list(RecordReader.inner(type, 0), key);
    }
    if (raw == Map.class) {
      ObjectNode map = NODES.objectNode().put("type", "object");
      bound(map, "maxProperties", key.most());
      return map.set("additionalProperties", value(RecordReader.inner(type, 1), key.ofEntries()));
    }
    return Values.scalar(raw) ? ValueSchema.of(raw, key) : reference(raw);
  }

  /** A list; where its entries are no objects, one of them may stand for it. */
  private ObjectNode list(Type entry, Bounds key) {
    ObjectNode list = NODES.objectNode().put("type", "array");
    list.set("items", value(entry, key.ofEntries()));
    if (key.least() > 0) {
      bound(list, "minItems", key.least());
    }
    bound(list, "maxItems", key.most());
    return Values.scalar(RecordReader.raw(entry))
        ? anyOf(List.of(list, value(entry, key.ofEntries())))
        : list;
  }

  private ObjectNode reference(Class<?> type) {
    String name = type.getCanonicalName().substring(type.getPackageName().length() + 1);
    if (!definitions.containsKey(name)) {
      // There before it is written: cells hold cells.
      definitions.put(name, NODES.objectNode());
      definitions.put(name, type.isRecord() ? record(type.asSubclass(Record.class)) : kinds(type));
    }
    return NODES.objectNode().put("$ref", "#/$defs/" + name);
  }

  /** One of a family, or the name of one that needs nothing more. */
  private ObjectNode kinds(Class<?> family) {
    List<JsonNode> forms = new ArrayList<>();
    ArrayNode alone = NODES.arrayNode();
    for (Class<? extends Record> kind : Keys.kinds(family).values()) {
      forms.add(reference(kind));
      if (Arrays.stream(kind.getRecordComponents()).noneMatch(RecordReader::required)) {
        alone.add(kind.getSimpleName());
      }
    }
    forms.add(NODES.objectNode().set("enum", alone));
    return anyOf(forms);
  }

  /** An object, or what may stand for it. */
  private ObjectNode record(Class<? extends Record> type) {
    List<JsonNode> forms = new ArrayList<>(List.of(object(type)));
    if (type == PrecisionSpecification.class) {
      forms.add(OpenSeq2SeqKeys.schema());
    }
    RecordForm.of(type).shorthand().keys().forEach(key -> forms.add(described(key)));
    return forms.size() == 1 ? (ObjectNode) forms.getFirst() : anyOf(forms);
  }

  private ObjectNode object(Class<? extends Record> type) {
    ObjectNode object = NODES.objectNode().put("type", "object");
    ObjectNode properties = NODES.objectNode();
    ArrayNode required = NODES.arrayNode();
    Keys.family(type)
        .map(Keys::tag)
        .ifPresent(
            tag -> {
              properties.putObject(tag).put("const", type.getSimpleName());
              required.add(tag);
            });
    for (RecordComponent component : type.getRecordComponents()) {
      if (RecordForm.of(type).keys().contains(component.getName())) {
        properties.set(component.getName(), described(component));
      }
      if (RecordReader.required(component)) {
        required.add(component.getName());
      }
    }
    object.set("properties", properties);
    if (!required.isEmpty()) {
      object.set("required", required);
    }
    return object.put("additionalProperties", false);
  }

  private ObjectNode described(RecordComponent component) {
    Key key = component.getAnnotation(Key.class);
    ObjectNode schema = NODES.objectNode().put("description", key.value());
    schema.setAll(value(component.getGenericType(), Bounds.of(key)));
    if (!key.otherwise().isEmpty()) {
      schema.set("default", StrictTree.ofJson(key.otherwise()));
    }
    return schema;
  }

  private static ObjectNode anyOf(List<JsonNode> forms) {
    return NODES.objectNode().set("anyOf", NODES.arrayNode().addAll(forms));
  }

  private static void bound(ObjectNode schema, String name, double bound) {
    if (Double.isFinite(bound)) {
      schema.put(name, (long) bound);
    }
  }
}
