package dev.halfcell.rest.store;

/** A database, and what is not the same in all of them. Threads may share it. */
sealed interface Database extends AutoCloseable permits SqliteDatabase, PostgresDatabase {
  /** Runs work of one statement that writes nothing. */
  <T> T read(Work<T> work);

  /** Runs work in a transaction; what it did lies on the disk when this returns. */
  <T> T write(Work<T> work);

  /** The same, while no other transaction accepts a job: so caps hold exactly. */
  <T> T accept(Together.Part<Accepting, T> part);

  /**
   * A number that is another one after each write: between two times at which it is the same,
   * nothing was written. It is {@link KnownTexts#NEVER} while something is, and where others write
   * too.
   */
  long moment();

  /** What ends a query for a row of {@code job j} that the transaction is going to write. */
  String forUpdate();

  /** What ends a query for a row of {@code job j} that no other transaction writes. */
  String skipLocked();

  @Override
  void close();
}
