package dev.halfcell.zoo.job;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.networknt.schema.InputFormat;
import com.networknt.schema.Schema;
import com.networknt.schema.SchemaLocation;
import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.SpecificationVersion;
import dev.halfcell.tensor.ArgumentException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.json.JsonMapper;

/** The JSON schema says what the binding takes; a validator of others is asked. */
final class SchemaTest {
  private static final SchemaRegistry REGISTRY =
      SchemaRegistry.withDefaultDialect(SpecificationVersion.DRAFT_2020_12);
  static final Schema SCHEMA = REGISTRY.getSchema(JobSpecification.schema());

  static boolean valid(String json) {
    return SCHEMA.validate(json, InputFormat.JSON).isEmpty();
  }

  /** Whether the document is one; whether it makes sense as a whole is another matter. */
  static boolean bound(String json) {
    try {
      JobSpecification.ofJson(json);
      return true;
    } catch (ArgumentException e) {
      return false;
    }
  }

  private static String json(String text) {
    return text.replace('\'', '"');
  }

  @Test
  void theCommittedSchemaIsThatOfTheRecords() throws IOException {
    Path file = Path.of(System.getProperty("halfcell.root"), "docs", "specification.schema.json");
    assertEquals(
        Files.readString(file),
        JobSpecification.schema(),
        "./halfcell schema > docs/specification.schema.json");
  }

  @Test
  void itIsASchemaOfDraft2020() {
    Schema meta =
        REGISTRY.getSchema(SchemaLocation.of("https://json-schema.org/draft/2020-12/schema"));
    assertEquals(List.of(), meta.validate(JobSpecification.schema(), InputFormat.JSON));
    assertNotEquals(List.of(), meta.validate("{\"type\": \"of none\"}", InputFormat.JSON));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{'traning': {}}",
        "{'training': {'epochs': '5'}}",
        "{'training': {'epochs': 0}}",
        "{'training': {'epochs': 10001}}",
        "{'training': {'seed': 9223372036854775808}}",
        "{'training': {'clip': 0}}",
        "{'training': {'clip': 1e-60}}",
        "{'training': {'clip': 3.4028235677973366e38}}",
        "{'training': {'optimizer': 'lion'}}",
        "{'training': {'optimizer': {'name': 'lion'}}}",
        "{'precision': {'level': 'O4'}}",
        "{'precision': {'half': 'fp32'}}",
        "{'precision': {'parts': {'a': {}}}}",
        "{'precision': {'options': {'fpExceptions': ['inv', 'inv', 'inv', 'inv']}}}",
        "{'precision': {'level': 'O2', 'dtype': 'mixed'}}",
        "{'device': null}",
        "{'network': {'cells': []}}",
        "{'network': [{'cell': 'Conv3d'}]}",
        "{'network': [{}]}",
        "{'network': [{'cell': 'Dense', 'inChannels': 1}]}",
        "{'network': [{'cell': 'Conv2d', 'inChannels': 1, 'outChannels': 1}]}",
        "{'network': [{'cell': 'Sequential'}]}",
        "{'network': [{'cell': 'ReLU', 'alpha': 1}]}",
      })
  void bothRefuseWhatTheSchemaCanSay(String text) {
    assertFalse(valid(json(text)));
    assertFalse(bound(json(text)));
  }

  /** What a schema does not say: the kinds in which the binding alone refuses. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        // A count with a point: to JSON schema 5.0 is whole.
        "{'training': {'epochs': 5.0}}",
        "{'training': {'epochs': 1e2}}",
        // The characters of names, and the lengths of labels.
        "{'name': ' '}",
        "{'name': 'a\\nb'}",
        "{'labels': {'': 'a'}}",
        // What OpenSeq2Seq's keys may be.
        "{'precision': {'dtype': 'half'}}",
        // The document itself: a key twice.
        "{'training': {}, 'training': {}}",
      })
  void theBindingAloneRefusesWhatTheSchemaCannotSay(String text) {
    assertTrue(valid(json(text)), () -> SCHEMA.validate(json(text), InputFormat.JSON).toString());
    assertFalse(bound(json(text)));
  }

  /** How keys depend on each other, and on the network, is found by resolving alone. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "{}",
        "{'network': {'name': 'lenet6'}}",
        "{'network': {'name': 'lenet5'}, 'training': {'epochs': 1, 'steps': 1}}",
        "{'network': {'name': 'lenet5'}, 'training': {'optimizer': {'name': 'sgd', 'beta1': 0}}}",
        "{'network': {'name': 'lenet5'}, 'precision': {'lossScale': {'rule': 'none', 'up': 2}}}",
        "{'network': [{'cell': 'ReLU'}]}",
      })
  void dependenciesAreLeftToResolving(String text) {
    assertTrue(valid(json(text)));
    assertTrue(bound(json(text)));
    assertFalse(JobSpecification.problems(json(text)).isEmpty());
  }

  @Test
  void everyKeyIsDescribed() {
    SchemaDraws.keys()
        .forEach(
            (pointer, key) ->
                assertTrue(
                    key.has("description") || pointer.matches(".*/x|/precision/[a-z]+(_[a-z]+)*"),
                    pointer));
    assertTrue(SchemaDraws.keys().size() > 60);
    assertTrue(SchemaDraws.cells().size() > 25);
    assertEquals(
        new JsonMapper().readTree(JobSpecification.schema()).get("type").stringValue(), "object");
  }
}
