package dev.halfcell.zoo.job;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** Makes trees of records: what {@link RecordReader} reads. What says nothing is left out. */
final class RecordWriter {
  private static final JsonNodeFactory NODES = JsonNodeFactory.instance;

  private RecordWriter() {}

  static ObjectNode tree(Record of) {
    ObjectNode tree = NODES.objectNode();
    RecordForm form = RecordForm.of(of.getClass());
    form.family().ifPresent(family -> tree.put(Keys.tag(family), of.getClass().getSimpleName()));
    for (RecordForm.Part part : form.parts()) {
      value(part.in(of)).ifPresent(node -> tree.set(part.name(), node));
    }
    return tree;
  }

  /** A tree that says nothing. */
  static JsonNode nothing() {
    return NODES.objectNode();
  }

  /** A value as a node; none where it says nothing. */
  static Optional<JsonNode> value(Object value) {
    return switch (value) {
      case Optional<?> optional -> optional.flatMap(RecordWriter::value);
      case List<?> list -> list.isEmpty() ? Optional.empty() : Optional.of(list(list));
      case Map<?, ?> map -> map.isEmpty() ? Optional.empty() : Optional.of(map(map));
      case Record inner -> record(inner);
      case String text -> Optional.of(NODES.stringNode(text));
      case Boolean truth -> Optional.of(NODES.booleanNode(truth));
      case Integer number -> Optional.of(NODES.numberNode(number));
      case Long number -> Optional.of(NODES.numberNode(number));
      case Double number -> Optional.of(NODES.numberNode(number));
      default -> Optional.of(NODES.stringNode(Values.label(value)));
    };
  }

  /** A record with a list in its place is that list where it has one. */
  private static Optional<JsonNode> record(Record of) {
    RecordForm form = RecordForm.of(of.getClass());
    ObjectNode tree = tree(of);
    Optional<JsonNode> list =
        form.parts().stream()
            .filter(part -> form.shorthand().isList(part.component()))
            .findFirst()
            .map(part -> tree.get(part.name()));
    return list.isPresent() || tree.isEmpty() ? list : Optional.of(tree);
  }

  private static ArrayNode list(List<?> entries) {
    ArrayNode list = NODES.arrayNode();
    entries.forEach(entry -> list.add(entryOf(entry)));
    return list;
  }

  private static ObjectNode map(Map<?, ?> entries) {
    ObjectNode map = NODES.objectNode();
    entries.forEach((name, value) -> map.set((String) name, entryOf(value)));
    return map;
  }

  /** An entry of a list is there even where it says nothing. */
  private static JsonNode entryOf(Object value) {
    return value(value).orElseGet(NODES::objectNode);
  }
}
