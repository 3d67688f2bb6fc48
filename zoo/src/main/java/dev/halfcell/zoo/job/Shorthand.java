package dev.halfcell.zoo.job;

import java.lang.reflect.RecordComponent;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import tools.jackson.databind.JsonNode;

/** What may stand for an object of a record: a value of one of its keys. */
record Shorthand(List<RecordComponent> keys) {
  static Shorthand of(Class<? extends Record> type, RecordComponent[] components) {
    ShortForm form = type.getAnnotation(ShortForm.class);
    List<RecordComponent> keys = new ArrayList<>();
    for (String name : form == null ? new String[0] : form.value()) {
      for (RecordComponent component : components) {
        if (component.getName().equals(name)) {
          keys.add(component);
        }
      }
    }
    return new Shorthand(List.copyOf(keys));
  }

  /** Whether this is a key that is a list in the object's place, and no key of the object. */
  boolean isList(RecordComponent component) {
    return kind(component) == List.class
        && keys.stream().anyMatch(key -> key.getName().equals(component.getName()));
  }

  /** The key that a value is meant for; none where it is for none. */
  Optional<RecordComponent> meant(JsonNode value) {
    return keys.stream().filter(key -> fits(key, value)).findFirst();
  }

  private static boolean fits(RecordComponent key, JsonNode value) {
    Class<?> kind = kind(key);
    return kind == List.class
        ? value.isArray()
        : kind == String.class || kind.isEnum() ? value.isString() : value.isNumber();
  }

  private static Class<?> kind(RecordComponent key) {
    return key.getType() == Optional.class
        ? RecordReader.raw(RecordReader.inner(key.getGenericType(), 0))
        : key.getType();
  }

  /** What a value of the record may be, in words. */
  String expected() {
    StringBuilder words = new StringBuilder("an object");
    for (RecordComponent key : keys) {
      Class<?> kind = kind(key);
      words
          .append(" or ")
          .append(
              kind == List.class
                  ? "a list"
                  : Values.expected(kind, Bounds.of(key.getAnnotation(Key.class))))
          .append(" (its ")
          .append(key.getName())
          .append(')');
    }
    return words.toString();
  }
}
