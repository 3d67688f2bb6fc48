package dev.halfcell.rest.http;

import com.networknt.schema.Error;
import dev.halfcell.rest.service.FieldError;
import java.util.List;
import java.util.Optional;
import tools.jackson.databind.JsonNode;

/** Holds a body to what the document says of it. */
final class BodyCheck {
  private BodyCheck() {}

  /** What a body says; none where there is none and need be none. */
  static Optional<JsonNode> read(Operation operation, String text) {
    if (operation.body().isEmpty()) {
      return Optional.empty();
    }
    Operation.Body body = operation.body().get();
    if (text.isEmpty() && !body.required()) {
      return Optional.empty();
    }
    JsonNode read = body.json().read(text);
    JsonNode checked = WholeNumbers.widened(read);
    List<FieldError> wrong =
        body.schema().stream()
            .flatMap(schema -> schema.validate(checked).stream())
            .map(BodyCheck::error)
            .toList();
    if (!wrong.isEmpty()) {
      throw Refusal.invalid(wrong);
    }
    return Optional.of(read);
  }

  private static FieldError error(Error error) {
    String at = error.getInstanceLocation().toString();
    String more = error.getProperty() == null ? "" : "/" + error.getProperty();
    return FieldError.of(at + more, error.getMessage());
  }
}
