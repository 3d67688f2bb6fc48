package dev.halfcell.rest.http;

import com.networknt.schema.Error;
import com.networknt.schema.Schema;
import dev.halfcell.rest.service.FieldError;
import java.math.BigInteger;
import java.util.List;
import java.util.Optional;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;

/**
 * A parameter of an operation.
 *
 * @param in {@code path}, {@code query} or {@code header}
 * @param usual its value where none is said
 */
record Parameter(String name, String in, Type type, Schema schema, Optional<JsonNode> usual) {
  private static final JsonNodeFactory NODES = JsonNodeFactory.instance;
  private static final int LONGEST_NUMBER = 20;

  /** What its text stands for. */
  enum Type {
    TEXT,
    INTEGER,
    BOOLEAN,
    LIST
  }

  /** What was said, and what is wrong with it. */
  record Read(JsonNode value, List<FieldError> errors) {}

  /** Reads what stands in a request. */
  Read read(List<String> texts) {
    if (type != Type.LIST && texts.size() > 1) {
      return new Read(NODES.nullNode(), List.of(error("it is there " + texts.size() + " times")));
    }
    JsonNode value = type == Type.LIST ? list(texts) : node(texts.getFirst());
    List<FieldError> errors =
        schema.validate(value).stream().map(Error::getMessage).map(this::error).toList();
    return new Read(value, errors);
  }

  private FieldError error(String message) {
    return FieldError.of("/" + in + "/" + name, message);
  }

  private static ArrayNode list(List<String> texts) {
    ArrayNode list = NODES.arrayNode();
    texts.forEach(list::add);
    return list;
  }

  /** A number that has 64 bits. */
  private static Optional<Long> whole(String text) {
    if (text.length() > LONGEST_NUMBER || !text.matches("-?(0|[1-9][0-9]*)")) {
      return Optional.empty();
    }
    BigInteger number = new BigInteger(text);
    return number.bitLength() < Long.SIZE ? Optional.of(number.longValue()) : Optional.empty();
  }

  /** A text that is no number or truth stays a text, which the schema refuses. */
  private JsonNode node(String text) {
    return switch (type) {
      case INTEGER -> whole(text).<JsonNode>map(NODES::numberNode).orElse(NODES.stringNode(text));
      case BOOLEAN ->
          text.equals("true") || text.equals("false")
              ? NODES.booleanNode(text.equals("true"))
              : NODES.stringNode(text);
      case TEXT, LIST -> NODES.stringNode(text);
    };
  }
}
