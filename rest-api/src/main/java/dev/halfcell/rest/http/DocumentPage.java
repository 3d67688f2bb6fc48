package dev.halfcell.rest.http;

import java.util.Locale;
import java.util.Map;
import tools.jackson.databind.JsonNode;

/** The document as a page without a script, in the dashboard's style. */
final class DocumentPage {
  private final ApiDocument document;
  private final StringBuilder html = new StringBuilder();

  DocumentPage(ApiDocument document) {
    this.document = document;
  }

  String html() {
    html.append("<!DOCTYPE html><html lang=\"en\"><head><meta charset=\"utf-8\">");
    html.append("<meta name=\"viewport\" content=\"width=device-width\">");
    html.append("<link rel=\"stylesheet\" href=\"/assets/dashboard.css\">");
    JsonNode info = document.tree().get("info");
    tag("title", info.get("title").stringValue());
    html.append("</head><body><main class=\"document\">");
    tag("h1", info.get("title").stringValue());
    tag("p", info.get("description").stringValue());
    html.append("<p>The same for programs: <a href=\"/openapi.yaml\">openapi.yaml</a>, ");
    html.append("<a href=\"/openapi.json\">openapi.json</a>.</p>");
    document.operations().forEach(this::operation);
    tag("h2", "Problems");
    for (ProblemKind kind : ProblemKind.values()) {
      html.append("<h3 id=\"problem-").append(kind.label()).append("\">");
      html.append(kind.status()).append(' ').append(escaped(kind.label())).append("</h3>");
      tag("p", kind.title() + ".");
    }
    tag("h2", "Schemas");
    for (Map.Entry<String, JsonNode> schema :
        document.tree().at("/components/schemas").properties()) {
      html.append("<h3 id=\"schema-").append(escaped(schema.getKey())).append("\">");
      html.append(escaped(schema.getKey())).append("</h3>");
      html.append("<pre tabindex=\"0\">").append(escaped(schema.getValue().toPrettyString()));
      html.append("</pre>");
    }
    return html.append("</main></body></html>\n").toString();
  }

  private void operation(Operation operation) {
    JsonNode node =
        document
            .tree()
            .get("paths")
            .get(operation.path())
            .get(operation.method().toLowerCase(Locale.ROOT));
    html.append("<h2 id=\"").append(escaped(operation.id())).append("\">");
    html.append(escaped(operation.method() + " " + operation.path())).append("</h2>");
    tag("p", node.get("summary").stringValue());
    if (node.has("description")) {
      tag("p", node.get("description").stringValue());
    }
    tag("p", operation.scope().map(scope -> "Scope: " + scope).orElse("No token is needed."));
    if (!operation.parameters().isEmpty()) {
      html.append("<ul>");
      operation
          .parameters()
          .forEach(parameter -> tag("li", parameter.name() + " (" + parameter.in() + ")"));
      html.append("</ul>");
    }
    JsonNode body = node.at("/requestBody/content/application~1json/schema");
    if (!body.isMissingNode()) {
      schema("Body: ", body);
    }
    for (Map.Entry<String, JsonNode> response : node.get("responses").properties()) {
      if (response.getKey().startsWith("2")) {
        tag("p", response.getKey() + ": " + response.getValue().get("description").stringValue());
        response
            .getValue()
            .path("content")
            .properties()
            .forEach(content -> schema(content.getKey() + ": ", content.getValue().get("schema")));
      }
    }
  }

  private void schema(String before, JsonNode schema) {
    String reference = schema.path("$ref").asString("");
    if (reference.isEmpty()) {
      tag("p", before + schema.path("type").asString(""));
      return;
    }
    String name = escaped(reference.substring(reference.lastIndexOf('/') + 1));
    html.append("<p>").append(escaped(before)).append("<a href=\"#schema-").append(name);
    html.append("\">").append(name).append("</a></p>");
  }

  private void tag(String tag, String text) {
    html.append('<').append(tag).append('>').append(escaped(text));
    html.append("</").append(tag).append('>');
  }

  private static String escaped(String text) {
    return text.replace("&", "&amp;").replace("<", "&lt;").replace("\"", "&quot;");
  }
}
