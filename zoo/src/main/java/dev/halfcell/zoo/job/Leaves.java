package dev.halfcell.zoo.job;

import java.util.Map;
import java.util.TreeMap;
import tools.jackson.databind.JsonNode;

/** The values of a tree by their pointers. */
final class Leaves {
  private final Map<String, String> found = new TreeMap<>();

  private Leaves() {}

  static Map<String, String> of(JsonNode tree) {
    Leaves leaves = new Leaves();
    leaves.add(tree, "");
    return leaves.found;
  }

  private void add(JsonNode node, String pointer) {
    if (node.isEmpty()) {
      found.put(pointer, node.toString());
    }
    if (node.isArray()) {
      for (int i = 0; i < node.size(); i++) {
        add(node.get(i), Pointer.child(pointer, i));
      }
    }
    node.properties().forEach(e -> add(e.getValue(), Pointer.child(pointer, e.getKey())));
  }
}
