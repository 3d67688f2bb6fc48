package dev.halfcell.zoo.job;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.networknt.schema.InputFormat;
import dev.halfcell.zoo.NetworkDefinition;
import dev.halfcell.zoo.Networks;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** Draws by the thousand: what the binding takes and what the schema takes is the same. */
final class SchemaAgreementTest {
  /** Keys with one or more values that fit or nearly fit, unknown keys and cells. */
  private static String drawn(Random random) {
    SchemaDraws draws = new SchemaDraws(random, Long.MAX_VALUE);
    List<Map.Entry<String, JsonNode>> keys = List.copyOf(SchemaDraws.keys().entrySet());
    ObjectNode job = JsonNodeFactory.instance.objectNode();
    for (int i = random.nextInt(4); i >= 0; i--) {
      Map.Entry<String, JsonNode> key = keys.get(random.nextInt(keys.size()));
      boolean odd = random.nextInt(4) == 0;
      String pointer = random.nextInt(20) == 0 ? key.getKey() + "s" : key.getKey();
      JsonNode value = odd ? draws.odd(key.getValue()) : draws.value(key.getValue());
      Drawn.put(job, pointer, value);
    }
    if (random.nextInt(3) == 0) {
      job.putArray("network").add(cell(random, draws));
    }
    return job.toString();
  }

  private static JsonNode cell(Random random, SchemaDraws draws) {
    List<JsonNode> cells = List.copyOf(SchemaDraws.cells().values());
    JsonNode kind = cells.get(random.nextInt(cells.size()));
    ObjectNode cell = (ObjectNode) draws.value(kind);
    List<String> keys = List.copyOf(kind.get("properties").propertyNames());
    String key = keys.get(random.nextInt(keys.size()));
    return switch (random.nextInt(4)) {
      case 0 -> cell.set(key, draws.odd(kind.get("properties").get(key)));
      case 1 -> cell.without(key);
      default -> cell;
    };
  }

  @Test
  void schemaAndBindingAgreeAboutRandomDocuments() {
    int taken = 0;
    for (int seed = 0; seed < 4000; seed++) {
      String json = drawn(new Random(seed));
      boolean bound = SchemaTest.bound(json);
      taken += bound ? 1 : 0;
      if (!Drawn.hasOpenSeq2Seq(json)) {
        assertEquals(SchemaTest.valid(json), bound, json);
      } else {
        assertTrue(SchemaTest.valid(json) || !bound, json);
      }
    }
    assertTrue(taken > 800 && taken < 3200, taken + " of 4000 were taken");
  }

  static List<NetworkDefinition> networks() {
    return Networks.all();
  }

  @ParameterizedTest
  @MethodSource("networks")
  void whatRunsWriteBackIsValid(NetworkDefinition network) {
    assertEquals(
        List.of(),
        SchemaTest.SCHEMA.validate(
            JobSpecification.of(network.name()).resolved().json(), InputFormat.JSON));
  }
}
