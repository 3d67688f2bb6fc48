package dev.halfcell.benchmarks;

import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.PropertyNamingStrategies;
import tools.jackson.databind.SerializationFeature;
import tools.jackson.databind.json.JsonMapper;

/**
 * How records of this package are written as JSON: under the names that they have, in snake case.
 */
final class Json {
  private Json() {}

  /** One line for each value. */
  static JsonMapper lines() {
    return builder().build();
  }

  /** For people to read. */
  static JsonMapper indented() {
    return builder().enable(SerializationFeature.INDENT_OUTPUT).build();
  }

  private static JsonMapper.Builder builder() {
    return JsonMapper.builder()
        .propertyNamingStrategy(PropertyNamingStrategies.SNAKE_CASE)
        .enable(DeserializationFeature.FAIL_ON_NULL_FOR_PRIMITIVES);
  }
}
