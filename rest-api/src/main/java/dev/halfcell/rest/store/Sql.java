package dev.halfcell.rest.store;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Types;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;

/** Statements with their values: texts, whole numbers, and {@link Optional}s of them. */
final class Sql {
  private Sql() {}

  /** Makes something of a row. */
  @FunctionalInterface
  interface Row<T> {
    T of(ResultSet row) throws SQLException;
  }

  /** Makes something of all rows; it is before the first one. */
  @FunctionalInterface
  interface Rows<T> {
    T of(ResultSet rows) throws SQLException;
  }

  static <T> List<T> query(Connection connection, String sql, Row<T> row, Object... values)
      throws SQLException {
    return all(
        connection,
        sql,
        rows -> {
          List<T> all = new ArrayList<>();
          while (rows.next()) {
            all.add(row.of(rows));
          }
          return all;
        },
        values);
  }

  /** What is made of all rows together. */
  static <T> T all(Connection connection, String sql, Rows<T> rows, Object... values)
      throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      bind(statement, values);
      try (ResultSet results = statement.executeQuery()) {
        return rows.of(results);
      }
    }
  }

  static <T> Optional<T> first(Connection connection, String sql, Row<T> row, Object... values)
      throws SQLException {
    return query(connection, sql, row, values).stream().findFirst();
  }

  /** The number that a query for one gives. */
  static long number(Connection connection, String sql, Object... values) throws SQLException {
    return first(connection, sql, row -> row.getLong(1), values).orElse(0L);
  }

  static int update(Connection connection, String sql, Object... values) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      bind(statement, values);
      return statement.executeUpdate();
    }
  }

  /** The same statement for each row of values. */
  static void each(Connection connection, String sql, List<Object[]> rows) throws SQLException {
    if (rows.isEmpty()) {
      return;
    }
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      for (Object[] values : rows) {
        bind(statement, values);
        statement.addBatch();
      }
      statement.executeBatch();
    }
  }

  /** As many places for values, with commas. */
  static String places(int count) {
    return String.join(", ", Collections.nCopies(count, "?"));
  }

  private static void bind(PreparedStatement statement, Object... values) throws SQLException {
    for (int i = 0; i < values.length; i++) {
      Object value = values[i] instanceof Optional<?> some ? some.orElse(null) : values[i];
      if (value == null) {
        statement.setNull(i + 1, Types.NULL);
      } else {
        statement.setObject(i + 1, value);
      }
    }
  }
}
