package dev.halfcell.rest.fuzz;

import com.networknt.schema.Schema;
import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.SpecificationVersion;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.exc.JsonNodeException;
import tools.jackson.databind.node.ObjectNode;
import tools.jackson.dataformat.yaml.YAMLMapper;

/** The document of a server, as it serves it: all that is known of the server here. One thread. */
final class Api {
  private final JsonNode tree;
  private final List<Operation> operations = new ArrayList<>();
  private final IdentityHashMap<JsonNode, Schema> schemas = new IdentityHashMap<>();

  /**
   * A parameter.
   *
   * @param in {@code path}, {@code query} or {@code header}
   */
  record Parameter(String name, String in, JsonNode schema) {}

  /**
   * An operation.
   *
   * @param scope what a token has to be for; none where none is needed
   * @param body the schema of what it reads
   */
  record Operation(
      String id,
      String method,
      String path,
      Optional<String> scope,
      List<Parameter> parameters,
      Optional<JsonNode> body,
      boolean bodyRequired,
      JsonNode responses) {
    boolean documents(int status) {
      return responses.has(Integer.toString(status));
    }

    /** The statuses of requests that were granted. */
    Set<Integer> granted() {
      return responses.propertyNames().stream()
          .map(Integer::parseInt)
          .filter(status -> status < 400)
          .collect(Collectors.toSet());
    }
  }

  private Api(JsonNode tree) {
    this.tree = tree;
    tree.get("paths")
        .forEachEntry(
            (path, item) ->
                item.forEachEntry((method, node) -> operations.add(operation(path, method, node))));
  }

  static Api read(byte[] yaml) {
    return new Api(new YAMLMapper().readTree(new String(yaml, StandardCharsets.UTF_8)));
  }

  private Operation operation(String path, String method, JsonNode node) {
    List<Parameter> parameters =
        node.path("parameters").values().stream()
            .map(this::resolved)
            .map(
                each ->
                    new Parameter(
                        each.get("name").stringValue(),
                        each.get("in").stringValue(),
                        resolved(each.get("schema"))))
            .toList();
    JsonNode body = node.at("/requestBody/content/application~1json/schema");
    return new Operation(
        node.get("operationId").stringValue(),
        method.toUpperCase(Locale.ROOT),
        path,
        node.get("security").values().stream()
            .findFirst()
            .map(each -> each.get("bearer").get(0).stringValue()),
        parameters,
        body.isMissingNode() ? Optional.empty() : Optional.of(resolved(body)),
        node.at("/requestBody/required").asBoolean(false),
        node.get("responses"));
  }

  List<Operation> operations() {
    return operations;
  }

  Operation operation(String id) {
    return operations.stream().filter(each -> each.id().equals(id)).findFirst().orElseThrow();
  }

  JsonNode schema(String name) {
    return tree.at("/components/schemas/" + name);
  }

  JsonNode resolved(JsonNode node) {
    String reference = node.path("$ref").asString("");
    return reference.isEmpty() ? node : resolved(tree.at(reference.substring(1)));
  }

  /** The methods of a path of the document, as {@code Allow} has to have them. */
  Set<String> methods(String path) {
    Set<String> methods =
        operations.stream()
            .filter(each -> each.path().equals(path))
            .map(Operation::method)
            .collect(Collectors.toSet());
    if (methods.contains("GET")) {
      methods.add("HEAD");
    }
    return methods;
  }

  /** What is wrong with a value; nothing where it fits. */
  List<?> errors(JsonNode schema, JsonNode value) {
    try {
      return schemas.computeIfAbsent(schema, this::compiled).validate(value);
    } catch (JsonNodeException beyond) { // a whole number of no 64 bits, which nothing here takes
      return List.of(beyond);
    }
  }

  boolean fits(JsonNode schema, JsonNode value) {
    return errors(schema, value).isEmpty();
  }

  private Schema compiled(JsonNode schema) {
    ObjectNode whole = (ObjectNode) schema.deepCopy();
    whole.set("components", tree.get("components"));
    return SchemaRegistry.withDefaultDialect(SpecificationVersion.DRAFT_2020_12).getSchema(whole);
  }
}
