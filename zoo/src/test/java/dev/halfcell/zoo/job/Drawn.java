package dev.halfcell.zoo.job;

import dev.halfcell.amp.config.OpenSeq2Seq;
import java.util.List;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** Documents that are put together of drawn values. */
final class Drawn {
  private Drawn() {}

  /** Puts a value at a pointer, over whatever stands on the way. */
  static void put(ObjectNode job, String pointer, JsonNode value) {
    List<String> keys = Pointer.keys(pointer);
    ObjectNode at = job;
    for (String key : keys.subList(0, keys.size() - 1)) {
      at = at.get(key) instanceof ObjectNode inner ? inner : at.putObject(key);
    }
    at.set(keys.getLast(), value);
  }

  /** Whether precision is told by OpenSeq2Seq's keys, whose values the schema leaves open. */
  static boolean hasOpenSeq2Seq(String json) {
    JsonNode precision = new JsonMapper().readTree(json).path("precision");
    return OpenSeq2Seq.KEYS.stream().anyMatch(precision::has);
  }
}
