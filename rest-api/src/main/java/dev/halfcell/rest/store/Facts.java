package dev.halfcell.rest.store;

import java.sql.Connection;
import java.sql.SQLException;

/** Texts that a store keeps under names, for good. */
final class Facts {
  private Facts() {}

  static String keep(Connection connection, String name, String text) throws SQLException {
    Sql.update(
        connection,
        "INSERT INTO fact (name, content) VALUES (?, ?) ON CONFLICT (name) DO NOTHING",
        name,
        Seal.close(text, name));
    String sealed =
        Sql.first(
                connection,
                "SELECT content FROM fact WHERE name = ?",
                row -> row.getString(1),
                name)
            .orElseThrow(() -> new Damage("the fact " + name + " is missing"));
    return Seal.open(sealed, "the fact " + name, name);
  }
}
