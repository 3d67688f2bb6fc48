package dev.halfcell.rest.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.networknt.schema.Schema;
import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.SpecificationVersion;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** Holds answers to the document, and to what all answers have in common. */
final class Contract {
  private static final Set<Integer> OF_ANY = Set.of(400, 403, 404, 405, 414, 431, 501);

  private final ApiDocument document = ApiDocument.load();
  private final Routes routes = new Routes(document.operations());
  private final Map<String, Schema> schemas = new ConcurrentHashMap<>();

  void check(String method, String target, HttpResponse<byte[]> response) {
    requireHeaders(response);
    String path = target.contains("?") ? target.substring(0, target.indexOf('?')) : target;
    Optional<Operation> operation = routes.find(path).flatMap(match -> match.operation(method));
    JsonNode documented =
        operation
            .map(found -> responses(found).path(Integer.toString(response.statusCode())))
            .orElse(Json.object().path("none"));
    if (documented.isMissingNode()) {
      assertTrue(
          OF_ANY.contains(response.statusCode()),
          () -> method + " " + target + " is not documented to answer " + response.statusCode());
      problem(response);
      return;
    }
    if (response.statusCode() >= 400) {
      problem(response);
    }
    documented = resolved(documented);
    requireDocumentedHeaders(documented, response);
    if (!method.equals("HEAD")) {
      requireContent(documented.path("content"), response);
    }
  }

  private JsonNode responses(Operation operation) {
    return document
        .tree()
        .get("paths")
        .get(operation.path())
        .get(operation.method().toLowerCase(Locale.ROOT))
        .get("responses");
  }

  private JsonNode resolved(JsonNode node) {
    String reference = node.path("$ref").asString("");
    return reference.isEmpty() ? node : document.tree().at(reference.substring(1));
  }

  private void requireDocumentedHeaders(JsonNode documented, HttpResponse<byte[]> response) {
    documented
        .path("headers")
        .properties()
        .forEach(
            header -> {
              if (resolved(header.getValue()).path("required").asBoolean(false)) {
                assertTrue(response.headers().firstValue(header.getKey()).isPresent());
              }
            });
  }

  private void requireContent(JsonNode content, HttpResponse<byte[]> response) {
    if (content.isMissingNode()) {
      assertEquals(0, response.body().length);
      return;
    }
    String type = mediaType(response);
    assertTrue(content.has(type), () -> type + " is not one of " + content.propertyNames());
    JsonNode schema = content.get(type).get("schema");
    if (type.endsWith("json") && !schema.path("format").asString("").equals("binary")) {
      requireFits(schema, response);
    }
  }

  private static String mediaType(HttpResponse<byte[]> response) {
    return response.headers().firstValue("Content-Type").orElse("").split(";", 2)[0];
  }

  private void requireFits(JsonNode schema, HttpResponse<byte[]> response) {
    JsonNode body = Json.read(text(response));
    List<?> errors = compiled(schema).validate(body);
    assertTrue(errors.isEmpty(), () -> errors + " in " + body);
  }

  private Schema compiled(JsonNode schema) {
    return schemas.computeIfAbsent(
        schema.toString(),
        _ -> {
          ObjectNode whole = (ObjectNode) schema.deepCopy();
          whole.set("components", document.tree().get("components"));
          return SchemaRegistry.withDefaultDialect(SpecificationVersion.DRAFT_2020_12)
              .getSchema(whole);
        });
  }

  private static String text(HttpResponse<byte[]> response) {
    return new String(response.body(), StandardCharsets.UTF_8);
  }

  private void problem(HttpResponse<byte[]> response) {
    assertTrue(response.body().length <= 4096);
    if (response.body().length == 0) {
      return;
    }
    assertEquals("application/problem+json", mediaType(response));
    requireFits(Json.object().put("$ref", "#/components/schemas/Problem"), response);
    String text = text(response);
    for (String secret :
        List.of("dev.halfcell", "java.", "tools.jackson", "/tmp/", "/secret", "\tat ")) {
      assertFalse(text.contains(secret), text);
    }
  }

  private static void requireHeaders(HttpResponse<byte[]> response) {
    for (String name :
        List.of(
            "Content-Security-Policy",
            "X-Content-Type-Options",
            "X-Frame-Options",
            "Referrer-Policy",
            "Cache-Control",
            "traceparent")) {
      assertTrue(response.headers().firstValue(name).isPresent(), name);
    }
    assertTrue(response.headers().firstValue("Access-Control-Allow-Origin").isEmpty());
    assertTrue(response.headers().firstValue("Server").isEmpty());
  }
}
