package dev.halfcell.rest.store;

import java.sql.SQLException;

/** What lies in the database is not what was written. */
final class Damage extends SQLException {
  private static final long serialVersionUID = 1L;

  Damage(String message) {
    super(message);
  }
}
