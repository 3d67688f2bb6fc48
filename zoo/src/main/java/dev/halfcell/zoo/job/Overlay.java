package dev.halfcell.zoo.job;

import dev.halfcell.tensor.ArgumentException;
import java.util.List;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** Puts a value over what a tree says at one key. */
final class Overlay {
  private Overlay() {}

  /** The tree itself, with the value at the pointer; objects on the way are made. */
  static JsonNode set(ObjectNode tree, String pointer, Object value) {
    List<String> keys = Pointer.keys(pointer);
    ArgumentException.require(
        pointer.startsWith("/"), Mistakes.SUBJECT, "a pointer such as /training/epochs", pointer);
    ObjectNode at = tree;
    for (String key : keys.subList(0, keys.size() - 1)) {
      JsonNode inner = at.get(key);
      if (inner == null) {
        at = at.putObject(key);
      } else {
        ArgumentException.require(
            inner.isObject(), Mistakes.SUBJECT, "a key of an object", pointer);
        at = (ObjectNode) inner;
      }
    }
    at.set(keys.getLast(), RecordWriter.value(value).orElseGet(RecordWriter::nothing));
    return tree;
  }
}
