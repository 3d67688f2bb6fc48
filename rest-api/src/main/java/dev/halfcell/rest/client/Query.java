package dev.halfcell.rest.client;

import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;

/** The part of an address behind the question mark. One thread. */
final class Query {
  private final StringBuilder text = new StringBuilder();

  Query with(String name, String value) {
    text.append(text.isEmpty() ? '?' : '&').append(name).append('=').append(encoded(value));
    return this;
  }

  /** As a part of a path or query. */
  static String encoded(String value) {
    return URLEncoder.encode(value, StandardCharsets.UTF_8).replace("+", "%20");
  }

  @Override
  public String toString() {
    return text.toString();
  }
}
