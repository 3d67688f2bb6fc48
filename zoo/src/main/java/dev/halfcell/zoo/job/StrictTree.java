package dev.halfcell.zoo.job;

import dev.halfcell.tensor.ArgumentException;
import dev.halfcell.tensor.Problem;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.StreamReadConstraints;
import tools.jackson.core.TokenStreamLocation;
import tools.jackson.core.json.JsonFactory;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.ObjectMapper;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;
import tools.jackson.dataformat.yaml.YAMLFactory;
import tools.jackson.dataformat.yaml.YAMLMapper;
import tools.jackson.dataformat.yaml.YAMLParser;

/**
 * Reads one JSON or YAML document as a tree, and nothing that two readers could take differently:
 * no duplicate keys, no comments in JSON, no anchors, aliases or tags in YAML, no numbers that are
 * not finite, nothing behind its end, and nothing larger than a description of a run ever is.
 */
final class StrictTree {
  /** The most characters of a document. */
  static final int LONGEST = 256 * 1024;

  /** The most objects and lists inside each other. */
  static final int DEEPEST = 32;

  private static final StreamReadConstraints LIMITS =
      StreamReadConstraints.builder()
          .maxNestingDepth(DEEPEST)
          .maxDocumentLength(LONGEST)
          .maxTokenCount(20_000)
          .maxStringLength(64 * 1024)
          .maxNameLength(256)
          .maxNumberLength(64)
          .build();

  private static final ObjectMapper JSON =
      new JsonMapper(JsonFactory.builder().streamReadConstraints(LIMITS).build());

  private static final ObjectMapper YAML =
      new YAMLMapper(YAMLFactory.builder().streamReadConstraints(LIMITS).build());

  private static final JsonNodeFactory NODES = JsonNodeFactory.instance;

  private final JsonParser parser;

  private StrictTree(JsonParser parser) {
    this.parser = parser;
  }

  static JsonNode ofJson(String text) {
    return read("one JSON document", JSON, text);
  }

  static JsonNode ofYaml(String text) {
    return read("one YAML document", YAML, text);
  }

  /** The tree as indented JSON. */
  static String text(JsonNode tree) {
    return JSON.writerWithDefaultPrettyPrinter().writeValueAsString(tree) + "\n";
  }

  private static JsonNode read(String what, ObjectMapper mapper, String text) {
    if (text.length() > LONGEST) {
      String got = text.length() + " characters";
      throw refused("", what + " of at most " + LONGEST + " characters", got);
    }
    try (JsonParser parser = mapper.createParser(text)) {
      return new StrictTree(parser).document(what);
    }
  }

  private JsonNode document(String what) {
    try {
      JsonToken first = next();
      if (first == null) {
        throw refused("", what, "an empty text");
      }
      JsonNode tree = value(first);
      if (next() != null) {
        throw refusedHere("nothing behind the document", "more");
      }
      return tree;
    } catch (JacksonException e) {
      // Where a limit is passed, the error itself knows no place.
      TokenStreamLocation where =
          e.getLocation() == null ? parser.currentLocation() : e.getLocation();
      throw refused(place(where), what, reason(e));
    }
  }

  /** Jackson's first line, without the name of the setting in Java. */
  private static String reason(JacksonException e) {
    String line =
        e.getOriginalMessage()
            .lines()
            .filter(text -> !text.isBlank())
            .findFirst()
            .orElse("another text");
    return Shown.sentence(line.replaceAll(", from `[^`]*`", ""));
  }

  private JsonToken next() {
    JsonToken token = parser.nextToken();
    if (parser instanceof YAMLParser yaml) {
      requirePlain(!yaml.isCurrentAlias(), "an alias (*)");
      requirePlain(yaml.getTypeId() == null, "a tag (!)");
      requirePlain(yaml.getObjectId() == null, "an anchor (&)");
    }
    return token;
  }

  private void requirePlain(boolean holds, String got) {
    if (!holds) {
      throw refusedHere("plain YAML, which says all where it is", got);
    }
  }

  private JsonNode value(JsonToken token) {
    return switch (token) {
      case START_OBJECT -> object();
      case START_ARRAY -> list();
      case VALUE_STRING -> NODES.stringNode(wellFormed(parser.getString()));
      case VALUE_NUMBER_INT -> NODES.numberNode(parser.getBigIntegerValue());
      case VALUE_NUMBER_FLOAT -> NODES.numberNode(finite(parser.getDoubleValue()));
      case VALUE_TRUE -> NODES.booleanNode(true);
      case VALUE_FALSE -> NODES.booleanNode(false);
      case VALUE_NULL -> NODES.nullNode();
      case END_OBJECT, END_ARRAY, PROPERTY_NAME, VALUE_EMBEDDED_OBJECT, NOT_AVAILABLE ->
          throw refusedHere("a value", token.toString());
    };
  }

  private ObjectNode object() {
    ObjectNode object = NODES.objectNode();
    while (next() == JsonToken.PROPERTY_NAME) {
      String key = wellFormed(parser.currentName());
      if (object.has(key)) {
        throw refusedHere("each key once", "'" + Shown.text(key) + "' twice");
      }
      object.set(key, value(next()));
    }
    return object;
  }

  private ArrayNode list() {
    ArrayNode list = NODES.arrayNode();
    for (JsonToken token = next(); token != JsonToken.END_ARRAY; token = next()) {
      list.add(value(token));
    }
    return list;
  }

  private double finite(double number) {
    if (!Double.isFinite(number)) {
      throw refusedHere("a number that is finite", Shown.text(parser.getString()));
    }
    return number;
  }

  /** A surrogate alone is no character, and no file can hold it. */
  private String wellFormed(String text) {
    if (text.codePoints().anyMatch(c -> Character.getType(c) == Character.SURROGATE)) {
      throw refusedHere("text in Unicode", "half of a surrogate pair");
    }
    return text;
  }

  private ArgumentException refusedHere(String expected, String got) {
    return refused(place(parser.currentTokenLocation()), expected, got);
  }

  /** Where no place is known, none is told. */
  private static String place(@Nullable TokenStreamLocation where) {
    return where == null ? "" : "line " + where.getLineNr() + ", column " + where.getColumnNr();
  }

  private static ArgumentException refused(String where, String expected, String got) {
    return new ArgumentException(new Problem(Mistakes.SUBJECT, where, expected, got, ""));
  }
}
