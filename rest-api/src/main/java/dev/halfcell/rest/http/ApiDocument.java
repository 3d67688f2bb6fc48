package dev.halfcell.rest.http;

import com.networknt.schema.Schema;
import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.SpecificationVersion;
import dev.halfcell.zoo.job.JobSpecification;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import tools.jackson.core.StreamReadFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;
import tools.jackson.dataformat.yaml.YAMLFactory;
import tools.jackson.dataformat.yaml.YAMLMapper;

/**
 * {@code openapi.yaml}: what the server is bound to. The schema of a specification is the library's
 * and is put in when the document is read.
 */
public final class ApiDocument {
  private static final String FILE = "openapi.yaml";
  private static final String TOKENS = "x-most-tokens";
  private static final String SPECIFICATION = "JobSpecification";
  private static final List<String> METHODS = List.of("get", "post", "put", "patch", "delete");
  private static final JsonMapper JSON = new JsonMapper();

  /** A key that stands twice would hide what the document says. */
  private static final YAMLMapper YAML =
      new YAMLMapper(
          YAMLFactory.builder().enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION).build());

  private final ObjectNode tree;
  private final List<Operation> operations;

  private ApiDocument(ObjectNode tree) {
    this.tree = tree;
    this.operations = read();
  }

  /** Reads it, which takes about as long as to open a store. */
  public static ApiDocument load() {
    try (InputStream in = ApiDocument.class.getResourceAsStream(FILE)) {
      ObjectNode tree = (ObjectNode) YAML.readTree(Objects.requireNonNull(in, FILE));
      putSpecification((ObjectNode) tree.at("/components/schemas"));
      return new ApiDocument(tree);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static void putSpecification(ObjectNode schemas) {
    String moved = JobSpecification.schema().replace("\"#/$defs/", "\"#/components/schemas/");
    ObjectNode schema = (ObjectNode) JSON.readTree(moved);
    schema.remove("$schema");
    JsonNode parts = schema.remove("$defs");
    parts
        .properties()
        .forEach(
            part -> {
              if (schemas.has(part.getKey())) {
                throw new IllegalStateException("two schemas of the name " + part.getKey());
              }
              schemas.set(part.getKey(), part.getValue());
            });
    schemas.set(SPECIFICATION, schema);
  }

  ObjectNode tree() {
    return tree;
  }

  List<Operation> operations() {
    return operations;
  }

  private List<Operation> read() {
    List<Operation> all = new ArrayList<>();
    for (Map.Entry<String, JsonNode> path : tree.get("paths").properties()) {
      for (Map.Entry<String, JsonNode> method : path.getValue().properties()) {
        if (METHODS.contains(method.getKey())) {
          all.add(operation(path.getKey(), method.getKey(), method.getValue()));
        }
      }
    }
    return List.copyOf(all);
  }

  private Operation operation(String path, String method, JsonNode node) {
    List<Parameter> parameters =
        node.path("parameters").values().stream().map(this::parameter).toList();
    JsonNode body = node.path("requestBody");
    List<String> produced =
        node.get("responses").properties().stream()
            .filter(response -> response.getKey().startsWith("20"))
            .flatMap(response -> response.getValue().path("content").propertyStream())
            .map(Map.Entry::getKey)
            .distinct()
            .toList();
    return new Operation(
        node.get("operationId").stringValue(),
        method.toUpperCase(Locale.ROOT),
        path,
        scope(node),
        parameters,
        body.isMissingNode() ? Optional.empty() : Optional.of(body(body)),
        produced);
  }

  private static Optional<String> scope(JsonNode node) {
    return node.get("security").values().stream()
        .findFirst()
        .map(each -> each.get("bearer").get(0).stringValue());
  }

  private Parameter parameter(JsonNode reference) {
    JsonNode node = resolved(reference);
    JsonNode schema = resolved(node.get("schema"));
    return new Parameter(
        node.get("name").stringValue(),
        node.get("in").stringValue(),
        typed(schema),
        compiled(schema),
        Optional.ofNullable(schema.get("default")));
  }

  private Parameter.Type typed(JsonNode schema) {
    return switch (resolved(schema).path("type").asString("string")) {
      case "integer" -> Parameter.Type.INTEGER;
      case "boolean" -> Parameter.Type.BOOLEAN;
      case "array" -> Parameter.Type.LIST;
      default -> Parameter.Type.TEXT;
    };
  }

  /** What the library checks itself, with better words, is not checked here too. */
  private Operation.Body body(JsonNode node) {
    JsonNode schema = node.at("/content/application~1json/schema");
    boolean own = schema.path("$ref").asString("").endsWith("/" + SPECIFICATION);
    return new Operation.Body(
        node.path("required").asBoolean(false),
        own ? Optional.empty() : Optional.of(compiled(schema)),
        new StrictJson(node.path(TOKENS).asInt(StrictJson.USUAL_TOKENS)));
  }

  private JsonNode resolved(JsonNode node) {
    String reference = node.path("$ref").asString("");
    return reference.isEmpty() ? node : resolved(tree.at(reference.substring(1)));
  }

  /**
   * References into the document lead nowhere in a schema of its own: what they mean goes along,
   * but not with the many schemas that have none, for it is a hundred times their size.
   */
  private Schema compiled(JsonNode schema) {
    ObjectNode whole = (ObjectNode) schema.deepCopy();
    if (schema.findValue("$ref") != null) {
      ObjectNode schemas = ((ObjectNode) tree.at("/components/schemas")).deepCopy();
      schemas.set(SPECIFICATION, JSON.createObjectNode().put("type", "object"));
      whole.set("$defs", schemas);
    }
    String own = whole.toString().replace("\"#/components/schemas/", "\"#/$defs/");
    return SchemaRegistry.withDefaultDialect(SpecificationVersion.DRAFT_2020_12)
        .getSchema(JSON.readTree(own));
  }
}
