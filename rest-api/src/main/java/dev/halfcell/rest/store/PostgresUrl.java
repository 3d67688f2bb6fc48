package dev.halfcell.rest.store;

import dev.halfcell.tensor.ArgumentException;
import dev.halfcell.tensor.Problem;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.Locale;
import java.util.Optional;

/**
 * The address of a PostgreSQL database.
 *
 * @param jdbc as its driver takes it
 * @param user who it names
 */
record PostgresUrl(String jdbc, Optional<String> user) {
  private static final String JDBC = "jdbc:";

  /** That of a text as {@code postgres://user@host:5432/database} or one of JDBC. */
  static PostgresUrl parse(String text) {
    URI uri = uri(text.startsWith(JDBC) ? text.substring(JDBC.length()) : text);
    boolean postgres = "postgres".equals(uri.getScheme()) || "postgresql".equals(uri.getScheme());
    if (!postgres || uri.getRawAuthority() == null) {
      throw refused("one of another kind", "");
    }
    String query = uri.getRawQuery() == null ? "" : "?" + uri.getRawQuery();
    String authority = uri.getRawAuthority();
    int at = authority.lastIndexOf('@');
    String user = authority.substring(0, Math.max(at, 0));
    if (user.contains(":") || query.toLowerCase(Locale.ROOT).contains("password=")) {
      throw refused(
          "one with a password",
          "Set it in the settings file or the environment: others see URLs.");
    }
    String path = uri.getRawPath() == null ? "" : uri.getRawPath();
    return new PostgresUrl(
        JDBC + "postgresql://" + authority.substring(at + 1) + path + query,
        at < 0 ? Optional.empty() : Optional.of(user));
  }

  /** For messages. */
  String shown() {
    String plain = jdbc.substring(JDBC.length());
    int query = plain.indexOf('?');
    return query < 0 ? plain : plain.substring(0, query);
  }

  private static URI uri(String text) {
    try {
      return new URI(text);
    } catch (URISyntaxException _) {
      throw refused("a text that is no URL", "");
    }
  }

  private static ArgumentException refused(String got, String fix) {
    return new ArgumentException(
        new Problem("store", "", "a URL as postgres://user@host:5432/database", got, fix));
  }
}
