package dev.halfcell.rest.http;

import java.util.Arrays;

/** What a client has already. */
final class Conditions {
  private Conditions() {}

  /** Whether {@code If-None-Match} names this tag. */
  static boolean unchanged(Request request, String tag) {
    return request
        .textOf("If-None-Match")
        .filter(
            said ->
                Arrays.stream(said.split(",", -1))
                    .map(String::strip)
                    .anyMatch(
                        each -> each.equals("*") || each.equals(tag) || each.equals("W/" + tag)))
        .isPresent();
  }
}
