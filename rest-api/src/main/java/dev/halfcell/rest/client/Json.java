package dev.halfcell.rest.client;

import java.util.Optional;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.DatabindException;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.PropertyNamingStrategies.SnakeCaseStrategy;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.util.RawValue;

/**
 * Reads what servers say: what a newer one says more is left alone; what is needed must be there,
 * but for numbers, which are 0 then.
 */
final class Json {
  private static final JsonMapper MAPPER =
      JsonMapper.builder()
          .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
          .enable(DeserializationFeature.FAIL_ON_NULL_CREATOR_PROPERTIES)
          .enable(DeserializationFeature.FAIL_ON_NULL_FOR_PRIMITIVES)
          .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
          .build();
  private static final JsonMapper SNAKE =
      MAPPER.rebuild().propertyNamingStrategy(new Explained()).build();

  private Json() {}

  /** Of what the keys are written in snake case, as {@code halfcell explain} writes them. */
  interface InSnakeCase {}

  /** A record cannot have the word that a cell's class goes by. */
  private static final class Explained extends SnakeCaseStrategy {
    private static final long serialVersionUID = 1L;

    @Override
    public String translate(String name) {
      return name.equals("cell") ? "class" : super.translate(name);
    }
  }

  /**
   * What a text says.
   *
   * @throws NotReadException where it says something else
   */
  static <T> T read(byte[] text, Class<T> type) throws NotReadException {
    JsonMapper mapper = InSnakeCase.class.isAssignableFrom(type) ? SNAKE : MAPPER;
    try {
      return Optional.ofNullable(mapper.readValue(text, type))
          .orElseThrow(() -> new NotReadException("null in the place of an object"));
    } catch (JacksonException e) {
      throw new NotReadException(said(e));
    }
  }

  /** What databind says names Java's types. */
  private static String said(JacksonException e) {
    return e instanceof DatabindException
        ? "something else at '" + path(e) + "'"
        : e.getOriginalMessage().lines().findFirst().orElse("no JSON");
  }

  private static String path(JacksonException e) {
    StringBuilder path = new StringBuilder();
    e.getPath()
        .forEach(
            step ->
                path.append('/')
                    .append(
                        step.getPropertyName() == null
                            ? String.valueOf(step.getIndex())
                            : step.getPropertyName()));
    return path.toString();
  }

  /** As JSON. */
  static String text(Object value) {
    return MAPPER.writeValueAsString(value);
  }

  /** JSON that is there already, as a part of more. */
  static Object raw(String json) {
    return new RawValue(json);
  }

  /** A text that does not say what was expected. */
  static final class NotReadException extends Exception {
    private static final long serialVersionUID = 1L;

    NotReadException(String message) {
      super(message);
    }
  }
}
