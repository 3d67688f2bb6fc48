package dev.halfcell.rest.http;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.StreamReadConstraints;
import tools.jackson.core.StreamReadFeature;
import tools.jackson.core.TokenStreamLocation;
import tools.jackson.core.json.JsonFactory;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * Reads a body as one JSON document, and refuses what two readers could take differently. Threads
 * may share it.
 */
final class StrictJson {
  /** The most tokens of a body where the document does not say. */
  static final int USUAL_TOKENS = 20_000;

  /** How deep arrays and objects of a body may stand in each other. */
  static final int DEPTH = 32;

  /** The most characters of a text in a body. */
  static final int TEXT = 64 * 1024;

  private final JsonMapper json;

  /** One that refuses what has more tokens. */
  StrictJson(int tokens) {
    StreamReadConstraints constraints =
        StreamReadConstraints.builder()
            .maxNestingDepth(DEPTH)
            .maxDocumentLength(256 * 1024)
            .maxTokenCount(tokens)
            .maxStringLength(TEXT)
            .maxNameLength(256)
            .maxNumberLength(128)
            .build();
    json =
        new JsonMapper(
            JsonFactory.builder()
                .streamReadConstraints(constraints)
                .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
                .build());
  }

  /** The text of a body. */
  static String text(byte[] body) {
    try {
      return StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(body)).toString();
    } catch (CharacterCodingException e) {
      throw bad("The body is no UTF-8.");
    }
  }

  /** What a text says. */
  JsonNode read(String text) {
    if (text.isBlank()) {
      throw bad("The body is empty; one JSON document is expected.");
    }
    try (JsonParser parser = json.createParser(text)) {
      parser.nextToken();
      JsonNode tree = json.readTree(parser);
      if (parser.nextToken() != null) {
        throw bad("There is more behind the JSON document.");
      }
      requireCharacters(text, tree);
      return tree;
    } catch (JacksonException e) {
      TokenStreamLocation at = e.getLocation();
      throw bad(
          "The body is not one JSON document as it has to be"
              + (at == null ? "." : ": see line " + at.getLineNr() + ", column " + at.getColumnNr())
              + (at == null ? "" : "."));
    }
  }

  /** Escapes may write halves of surrogate pairs and numbers that no double holds. */
  private static void requireCharacters(String text, JsonNode tree) {
    if (text.contains("\\u") && !wellFormed(tree)) {
      throw bad("The body has half of a surrogate pair in a text.");
    }
    requireFinite(tree);
  }

  private static boolean wellFormed(JsonNode node) {
    if (node.isString()) {
      return whole(node.stringValue());
    }
    return node.propertyNames().stream().allMatch(StrictJson::whole)
        && node.values().stream().allMatch(StrictJson::wellFormed);
  }

  private static boolean whole(String text) {
    return text.codePoints().noneMatch(c -> Character.getType(c) == Character.SURROGATE);
  }

  private static void requireFinite(JsonNode node) {
    if (node.isFloatingPointNumber() && !Double.isFinite(node.doubleValue())) {
      throw bad("The body has a number that is too large.");
    }
    node.values().forEach(StrictJson::requireFinite);
  }

  private static Refusal bad(String detail) {
    return Refusal.of(ProblemKind.BAD_REQUEST, detail);
  }
}
