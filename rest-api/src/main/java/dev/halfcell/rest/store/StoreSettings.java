package dev.halfcell.rest.store;

import java.nio.file.Path;
import java.util.Optional;

/** Which database keeps the jobs. */
public sealed interface StoreSettings {
  /**
   * One file, for one server.
   *
   * @param file the database, in the server's data directory; made where there is none
   */
  record Sqlite(Path file) implements StoreSettings {}

  /**
   * A PostgreSQL database, which several servers may share.
   *
   * @param url as {@code postgres://host:5432/database}, or one of JDBC; has no password
   * @param user who it is opened as
   * @param password theirs; never in a message
   */
  record Postgres(String url, Optional<String> user, Optional<String> password)
      implements StoreSettings {
    @Override
    public String toString() {
      return "Postgres[url=" + url + ", user=" + user.orElse("") + "]";
    }
  }
}
