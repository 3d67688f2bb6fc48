package dev.halfcell.rest.store;

import java.sql.Connection;
import java.sql.SQLException;

/** A database, and what is not the same in all of them. Threads may share it. */
sealed interface Database extends AutoCloseable permits SqliteDatabase, PostgresDatabase {
  /** Runs work of one statement that writes nothing. */
  <T> T read(Work<T> work);

  /** Runs work in a transaction; what it did lies on the disk when this returns. */
  <T> T write(Work<T> work);

  /** What ends a query for a row of {@code job j} that the transaction is going to write. */
  String forUpdate();

  /** What ends a query for a row of {@code job j} that no other transaction writes. */
  String skipLocked();

  /** Lets no other transaction accept a job until this one ends, so that caps hold exactly. */
  void acceptAlone(Connection connection) throws SQLException;

  @Override
  void close();
}
