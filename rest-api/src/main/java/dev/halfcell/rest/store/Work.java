package dev.halfcell.rest.store;

import java.sql.Connection;
import java.sql.SQLException;

/** What a transaction does. It may be run anew where the transaction was rolled back. */
@FunctionalInterface
interface Work<T> {
  T on(Connection connection) throws SQLException;
}
