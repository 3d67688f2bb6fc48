package dev.halfcell.rest.http;

import io.vertx.core.MultiMap;
import java.util.Map;

/** What every answer says to browsers. Nothing here is for other origins. */
final class SecurityHeaders {
  /** For pages: only what comes from here, and nothing in line. */
  static final String PAGE_POLICY =
      "default-src 'self'; script-src 'self'; style-src 'self'; img-src 'self' data:;"
          + " object-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

  private static final Map<String, String> ALL =
      Map.of(
          "Cache-Control", "no-store",
          "Content-Security-Policy", "default-src 'none'; frame-ancestors 'none'",
          "X-Content-Type-Options", "nosniff",
          "X-Frame-Options", "DENY",
          "Referrer-Policy", "no-referrer",
          "Cross-Origin-Resource-Policy", "same-origin");

  private SecurityHeaders() {}

  static void put(MultiMap headers) {
    ALL.forEach(headers::set);
  }
}
