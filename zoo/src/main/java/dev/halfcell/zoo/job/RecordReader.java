package dev.halfcell.zoo.job;

import dev.halfcell.tensor.ArgumentException;
import dev.halfcell.zoo.Spelling;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * Makes records of a tree: a key is the component of its name, and nothing is taken for another
 * kind of value. All that is wrong is collected, each with its pointer. One thread.
 */
final class RecordReader {
  private static final JsonNodeFactory NODES = JsonNodeFactory.instance;

  private final Mistakes mistakes;

  RecordReader(Mistakes mistakes) {
    this.mistakes = mistakes;
  }

  /** The record; none where something is wrong with it. */
  <R extends Record> Optional<R> read(Class<R> type, JsonNode tree, String at) {
    if (tree.isObject()) {
      requireKnown(type, tree, at);
      return read(type, tree, part -> Pointer.child(at, part.name()), at);
    }
    Shorthand shorthand = RecordForm.of(type).shorthand();
    Optional<RecordComponent> meant = shorthand.meant(tree);
    if (meant.isEmpty()) {
      return refused(at, shorthand.expected(), tree);
    }
    ObjectNode object = NODES.objectNode();
    object.set(meant.get().getName(), tree);
    return read(type, object, _ -> at, at);
  }

  private <R extends Record> Optional<R> read(
      Class<R> type, JsonNode tree, Function<RecordForm.Part, String> pointers, String at) {
    List<RecordForm.Part> parts = RecordForm.of(type).parts();
    List<Object> values = new ArrayList<>(parts.size());
    for (RecordForm.Part part : parts) {
      part(part, tree, pointers.apply(part)).ifPresent(values::add);
    }
    return values.size() == parts.size() ? made(type, values, at) : Optional.empty();
  }

  private void requireKnown(Class<? extends Record> type, JsonNode tree, String at) {
    List<String> known = RecordForm.of(type).keys();
    for (String key : tree.propertyNames()) {
      if (!known.contains(key)) {
        String fix = Spelling.nearest(key, known).map(k -> "Did you mean " + k + "?").orElse("");
        String expected = known.isEmpty() ? "no keys" : "keys " + String.join(", ", known);
        mistakes.add(Pointer.child(at, key), expected, "'" + Shown.text(key) + "'", fix);
      }
    }
  }

  /** What a component becomes, an optional one too; none where it is wrong. */
  private Optional<?> part(RecordForm.Part part, JsonNode tree, String pointer) {
    Bounds key = part.bounds();
    Type type = part.type();
    JsonNode said = tree.get(part.name());
    JsonNode node = said == null ? part.otherwise().orElse(null) : said;
    if (raw(type) == Optional.class) {
      return node == null
          ? Optional.of(Optional.empty())
          : value(inner(type, 0), key, node, pointer)
              .flatMap(value -> Optional.of(Optional.of(value)));
    }
    if (node == null) {
      return missing(type, key, pointer);
    }
    return value(type, key, node, pointer);
  }

  private Optional<?> missing(Type type, Bounds key, String pointer) {
    Class<?> raw = raw(type);
    if (raw == List.class && key.least() <= 0) {
      return Optional.of(List.of());
    }
    if (raw == Map.class) {
      return Optional.of(Map.of());
    }
    if (raw.isRecord()) {
      return read(raw.asSubclass(Record.class), NODES.objectNode(), pointer);
    }
    String expected = raw == List.class ? list(key) : Values.expected(raw, key);
    mistakes.add(pointer, expected, "none", "");
    return Optional.empty();
  }

  /** Whether a record has to be told this component. */
  static boolean required(RecordComponent component) {
    Key key = component.getAnnotation(Key.class);
    Class<?> raw = component.getType();
    if (raw == Optional.class || raw == Map.class || !key.otherwise().isEmpty()) {
      return false;
    }
    return raw == List.class
        ? key.least() > 0
        : !raw.isRecord()
            || Arrays.stream(raw.getRecordComponents()).anyMatch(RecordReader::required);
  }

  private static String list(Bounds key) {
    return "a list" + Values.count(key, "entries");
  }

  private Optional<?> value(Type type, Bounds key, JsonNode node, String at) {
    Class<?> raw = raw(type);
    if (raw == List.class) {
      return list(inner(type, 0), key, node, at);
    }
    if (raw == Map.class) {
      return map(inner(type, 1), key, node, at);
    }
    if (raw.isRecord()) {
      return read(raw.asSubclass(Record.class), node, at);
    }
    if (raw.isSealed()) {
      return tagged(raw, node, at);
    }
    Optional<?> value = Values.read(raw, key, node);
    return value.isPresent() ? value : refused(at, Values.expected(raw, key), node);
  }

  private Optional<List<?>> list(Type entry, Bounds key, JsonNode node, String at) {
    if (!node.isArray() && Values.scalar(raw(entry)) && !node.isObject()) {
      return value(entry, key.ofEntries(), node, at).map(List::of);
    }
    if (!node.isArray() || node.size() < key.least() || node.size() > key.most()) {
      return refused(at, list(key), node);
    }
    List<Object> values = new ArrayList<>();
    for (int i = 0; i < node.size(); i++) {
      value(entry, key.ofEntries(), node.get(i), Pointer.child(at, i)).ifPresent(values::add);
    }
    return values.size() == node.size() ? Optional.of(List.copyOf(values)) : Optional.empty();
  }

  private Optional<Map<?, ?>> map(Type entry, Bounds key, JsonNode node, String at) {
    if (!node.isObject() || node.size() > key.most()) {
      return refused(at, "an object" + Values.count(key, "keys"), node);
    }
    Map<String, Object> values = new LinkedHashMap<>();
    node.forEachEntry(
        (name, inner) ->
            value(entry, key.ofEntries(), inner, Pointer.child(at, name))
                .ifPresent(value -> values.put(name, value)));
    return values.size() == node.size()
        ? Optional.of(Collections.unmodifiableMap(values))
        : Optional.empty();
  }

  /** A record of a sealed family, which a key names; its name alone may stand for it. */
  private Optional<?> tagged(Class<?> family, JsonNode node, String at) {
    Map<String, Class<? extends Record>> kinds = Keys.kinds(family);
    String tag = Keys.tag(family);
    if (node.isString()) {
      return tagged(family, NODES.objectNode().set(tag, node), at);
    }
    JsonNode name = node.get(tag);
    if (!node.isObject() || name == null) {
      return refused(at, "an object with the key " + tag, node);
    }
    Class<? extends Record> kind = name.isString() ? kinds.get(name.stringValue()) : null;
    if (kind == null) {
      String near =
          Spelling.nearest(name.asString(""), kinds.keySet())
              .map(known -> "Did you mean " + known + "?")
              .orElse("");
      String expected = "one of " + String.join(", ", kinds.keySet());
      mistakes.add(Pointer.child(at, tag), expected, Shown.value(name), near);
      return Optional.empty();
    }
    return read(kind, ((ObjectNode) node).deepCopy().without(tag), at);
  }

  private <T> Optional<T> refused(String at, String expected, JsonNode got) {
    mistakes.add(at, expected, Shown.value(got), "");
    return Optional.empty();
  }

  /** What a record itself refuses is a mistake too. */
  private <R extends Record> Optional<R> made(Class<R> type, List<Object> values, String at) {
    try {
      return Optional.of(type.cast(RecordForm.of(type).made(values)));
    } catch (InvocationTargetException e) {
      if (e.getCause() instanceof ArgumentException refused) {
        mistakes.at(
            at,
            () -> {
              throw refused;
            });
        return Optional.empty();
      }
      throw new IllegalStateException(e);
    }
  }

  static Class<?> raw(Type type) {
    return (Class<?>) (type instanceof ParameterizedType of ? of.getRawType() : type);
  }

  static Type inner(Type type, int index) {
    return ((ParameterizedType) type).getActualTypeArguments()[index];
  }
}
