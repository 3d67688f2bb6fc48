package dev.halfcell.rest.store;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.halfcell.rest.job.Job;
import dev.halfcell.rest.job.JobAction;
import dev.halfcell.rest.job.JobEvent;
import dev.halfcell.rest.job.StatusReason;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The contract on SQLite. */
final class SqliteJobStoreTest extends JobStoreContract {
  @TempDir static Path made;
  @TempDir Path folder;

  /** Making the tables takes longer than most tests. */
  @BeforeAll
  static void makeTables() {
    SqlJobStore.open(new StoreSettings.Sqlite(made.resolve("jobs.db"))).close();
  }

  @Override
  Database empty() {
    try {
      Files.copy(made.resolve("jobs.db"), folder.resolve("jobs.db"));
      return again();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Test
  void aMoveIsWrittenWholeOrNotAtAll() throws SQLException {
    accept(Jobs.job(0));
    Job job = running(1);
    List<JobEvent> events = store().events(job.id(), 0, 10);
    Transition completes =
        Jobs.does(JobAction.COMPLETE, StatusReason.Code.COMPLETED, 2, fence(job));
    for (String statement : List.of("UPDATE ON job", "INSERT ON event", "UPDATE ON attempt")) {
      onTheSide(
          "CREATE TRIGGER fails BEFORE " + statement + " BEGIN SELECT RAISE(ABORT, 'no'); END");
      assertThrows(StoreException.class, () -> store().apply(job.id(), completes), statement);
      assertEquals(job, there(job.id()), statement);
      assertEquals(events, store().events(job.id(), 0, 10), statement);
      onTheSide("DROP TRIGGER fails");
    }
    assertInstanceOf(Applied.Moved.class, store().apply(job.id(), completes));
  }

  @Override
  Database again() {
    return SqlJobStore.database(new StoreSettings.Sqlite(folder.resolve("jobs.db")));
  }

  @Override
  void onTheSide(String statement) throws SQLException {
    try (Connection other = new SqliteFile(folder.resolve("jobs.db")).source().getConnection()) {
      SqliteFile.execute(other, statement);
    }
  }
}
