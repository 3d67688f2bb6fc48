package dev.halfcell.rest.store;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.halfcell.rest.job.Job;
import dev.halfcell.rest.job.JobAction;
import dev.halfcell.rest.job.JobEvent;
import dev.halfcell.rest.job.JobId;
import dev.halfcell.rest.job.StatusReason;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The contract on SQLite. */
final class SqliteJobStoreTest extends JobStoreContract {
  private static final int WRITES = 300;

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

  @Test
  void aJobIsKnownUntilSomethingIsWritten() throws SQLException {
    JobId first = accept(Jobs.job(0)).id();
    assertEquals(Optional.empty(), store().known(first));
    Job found = there(first);
    assertEquals(Optional.of(found), store().known(first));
    accept(Jobs.job(1));
    assertEquals(Optional.empty(), store().known(first));
    assertEquals(found, there(first));
    assertEquals(Optional.of(found), store().known(first));
    onTheSide("CREATE TRIGGER fails BEFORE UPDATE ON job BEGIN SELECT RAISE(ABORT, 'no'); END");
    assertThrows(StoreException.class, () -> store().describe(first, named("other")));
    assertEquals(Optional.empty(), store().known(first));
    assertEquals(found, there(first));
    assertEquals(Optional.of(found), store().known(first));
  }

  /** While one writes, two look: each finds it in the store where it is not known. */
  @Test
  void noJobIsKnownAsItWasBeforeAWriteThatIsDone() throws Exception {
    JobId id = accept(Jobs.job(0)).id();
    AtomicInteger written = new AtomicInteger();
    AtomicInteger known = new AtomicInteger();
    store().describe(id, named("0"));
    try (ExecutorService executor = Executors.newFixedThreadPool(2)) {
      List<Future<?>> readers = new ArrayList<>();
      for (int reader = 0; reader < 2; reader++) {
        readers.add(executor.submit(() -> look(id, written, known)));
      }
      for (int number = 1; number <= WRITES; number++) {
        store().describe(id, named(String.valueOf(number)));
        written.set(number);
      }
      for (Future<?> reader : readers) {
        reader.get(60, TimeUnit.SECONDS);
      }
    }
    assertTrue(known.get() > 0, "none was ever known");
  }

  private void look(JobId id, AtomicInteger written, AtomicInteger known) {
    int last = 0;
    while (written.get() < WRITES) {
      int done = written.get();
      Optional<Job> at = store().known(id);
      known.addAndGet(at.isPresent() ? 1 : 0);
      Job job = at.orElseGet(() -> there(id));
      int number = Integer.parseInt(job.summary().description().name().orElseThrow());
      assertTrue(number >= done, () -> number + " was told when " + done + " was written");
      int before = last;
      assertTrue(number >= before, () -> number + " was told after " + before);
      last = number;
    }
  }

  private static DescriptionChange named(String name) {
    return new DescriptionChange(
        Optional.of(name), Optional.empty(), Optional.empty(), Optional.empty(), Optional.empty());
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
