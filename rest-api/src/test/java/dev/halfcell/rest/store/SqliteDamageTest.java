package dev.halfcell.rest.store;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.halfcell.rest.job.Job;
import dev.halfcell.rest.job.JobEvent;
import dev.halfcell.rest.job.JobId;
import dev.halfcell.rest.job.JobSummary;
import dev.halfcell.rest.job.StatusReason;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What is damaged is refused and left as it is, or all of it is there. */
final class SqliteDamageTest {
  static final String NEWER =
      "INSERT INTO halfcell_schema_history (installed_rank, version, description, type, script,"
          + " checksum, installed_by, installed_on, execution_time, success) SELECT 99, '99',"
          + " 'later', 'SQL', 'V99__later.sql', 1, 'x', installed_on, 1, success"
          + " FROM halfcell_schema_history WHERE version = '1'";

  @TempDir static Path closed;
  @TempDir static Path killed;
  @TempDir Path folder;

  /** What was in the database that {@code closed} and {@code killed} are copies of. */
  private static Map<JobId, Job> jobs = Map.of();

  private static List<JobEvent> events = List.of();

  /** One that was closed, and the files as they are when its process is killed. */
  @BeforeAll
  static void write() throws IOException {
    try (JobStore store = SqlJobStore.open(new StoreSettings.Sqlite(closed.resolve("jobs.db")))) {
      Map<JobId, Job> all = new LinkedHashMap<>();
      for (int i = 0; i < 60; i++) {
        NewJob job = Jobs.named(Jobs.keyed(Jobs.job(i), "key" + i, "request"), "external" + i);
        store.accept(job, Jobs.NO_LIMITS);
        all.put(job.id(), store.find(job.id()).orElseThrow());
      }
      Job job = store.claim(Jobs.claim("s", 1)).orElseThrow().job();
      store.report(StoreContract.fence(job), MoveContract.told(1, MoveContract.stepEvent(1)));
      all.put(job.id(), store.find(job.id()).orElseThrow());
      events = store.events(job.id(), 0, 10);
      jobs = all;
      copy(closed, killed);
    }
  }

  private static void copy(Path from, Path to) throws IOException {
    try (Stream<Path> files = Files.list(from)) {
      for (Path file : files.toList()) {
        Files.copy(file, to.resolve(file.getFileName()), StandardCopyOption.REPLACE_EXISTING);
      }
    }
  }

  private Path database() {
    return folder.resolve("jobs.db");
  }

  private JobStore open() {
    return SqlJobStore.open(new StoreSettings.Sqlite(database()));
  }

  private Map<String, byte[]> files() throws IOException {
    Map<String, byte[]> all = new LinkedHashMap<>();
    for (String name : List.of("jobs.db", "jobs.db-wal", "jobs.db-commits")) {
      Path file = folder.resolve(name);
      if (Files.exists(file)) {
        all.put(name, Files.readAllBytes(file));
      }
    }
    return all;
  }

  /** Whether it was refused, saying what it was, with all files as they were. */
  private boolean refused(String damage) throws IOException {
    Map<String, byte[]> before = files();
    try (JobStore store = open()) {
      for (Job job : jobs.values()) {
        assertEquals(job, store.find(job.id()).orElseThrow(), damage);
      }
      JobId told = events.getFirst().job();
      assertEquals(events, store.events(told, 0, 10), damage);
      return false;
    } catch (StoreException e) {
      assertTrue(
          e.problem().message().contains(database().toString()),
          () -> damage + ": " + e.problem().message());
      for (Map.Entry<String, byte[]> file : before.entrySet()) {
        assertArrayEquals(
            file.getValue(), files().get(file.getKey()), () -> damage + ": " + file.getKey());
      }
      return true;
    }
  }

  @Test
  void whatWasWrittenIsThere() throws IOException {
    copy(closed, folder);
    assertTrue(!refused("none"));
    copy(killed, folder);
    assertTrue(!refused("killed"));
  }

  @Test
  void oneThatWasCutIsRefused() throws IOException {
    long length = Files.size(closed.resolve("jobs.db"));
    for (long left = length - 1; left >= 0; left -= 1 + length / 11) {
      copy(closed, folder);
      truncate(database(), left);
      assertTrue(refused("cut to " + left), "cut to " + left + " of " + length);
    }
    copy(closed, folder);
    Files.delete(database());
    assertTrue(refused("deleted"));
  }

  private static void truncate(Path file, long left) throws IOException {
    try (RandomAccessFile open = new RandomAccessFile(file.toFile(), "rw")) {
      open.setLength(left);
    }
  }

  @Test
  void aLogThatWasCutLosesNothingUnnoticed() throws IOException {
    long length = Files.size(killed.resolve("jobs.db-wal"));
    int refused = 0;
    for (long left = length; left >= 0; left -= 1 + length / 13) {
      clear();
      copy(killed, folder);
      truncate(folder.resolve("jobs.db-wal"), left);
      refused += refused("log cut to " + left) ? 1 : 0;
    }
    assertTrue(refused > 10, "refused " + refused);
    clear();
    copy(killed, folder);
    Files.delete(folder.resolve("jobs.db-wal"));
    assertTrue(refused("log deleted"));
  }

  private void clear() throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      for (Path file : files.toList()) {
        Files.delete(file);
      }
    }
  }

  @Test
  void aFlippedBitIsNoticedWhereverItMatters() throws IOException {
    long seed = Long.getLong("halfcell.store.seed", 14);
    System.out.println("SqliteDamageTest: seed " + seed);
    Random random = new Random(seed);
    int refused = 0;
    int times = Integer.getInteger("halfcell.store.flips", 30);
    for (int i = 0; i < times; i++) {
      clear();
      boolean log = i % 3 == 0;
      copy(log ? killed : closed, folder);
      Path file = log ? folder.resolve("jobs.db-wal") : database();
      byte[] bytes = Files.readAllBytes(file);
      int at = random.nextInt(bytes.length);
      bytes[at] ^= (byte) (1 << random.nextInt(8));
      Files.write(file, bytes);
      refused += refused("bit of byte " + at + " of " + file.getFileName()) ? 1 : 0;
    }
    System.out.println("SqliteDamageTest: " + refused + " of " + times + " flipped bits refused");
    assertTrue(refused > times / 3, "refused " + refused);
  }

  /** As a bit of their names that flips does: SQLite takes a name that it misses for a text. */
  @Test
  void aHistoryWithoutAColumnIsRefused() throws IOException, SQLException {
    for (String column : List.of("installed_rank", "version", "type", "success")) {
      copy(closed, folder);
      try (Connection connection = new SqliteFile(database()).source().getConnection()) {
        Sql.update(
            connection,
            "ALTER TABLE " + Schema.HISTORY + " RENAME COLUMN " + column + " TO another");
      }
      assertTrue(refused(column), column);
    }
  }

  @Test
  void whatIsNoDatabaseOfOursIsRefused() throws IOException, SQLException {
    Files.writeString(database(), "This is a text, and it stays one. ".repeat(300));
    assertTrue(refused("a text"));
    Files.write(database(), new byte[8192]);
    assertTrue(refused("zeros"));
    Files.delete(database());
    try (Connection connection = new SqliteFile(database()).source().getConnection()) {
      Sql.update(connection, "CREATE TABLE theirs (id INTEGER)");
    }
    assertTrue(refused("another program's"));
    Files.delete(database());
    Files.createDirectory(database());
    assertThrows(StoreException.class, this::open);
  }

  @Test
  void oneOfANewerVersionIsRefused() throws IOException, SQLException {
    copy(closed, folder);
    try (Connection connection = new SqliteFile(database()).source().getConnection()) {
      Sql.update(connection, NEWER);
    }
    assertTrue(refused("newer"));
    assertTrue(
        assertThrows(StoreException.class, this::open).problem().message().contains("version 99"));
  }

  /** Texts that were looked into before are not looked into again; others are, each of them. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "UPDATE job SET summary = summary || ' '",
        "UPDATE job SET server = server || '2'",
        "UPDATE job SET last_event = last_event + 1",
        "UPDATE job SET outcome = '00000000{}'",
        "UPDATE specification SET sent = sent || ' '",
        "UPDATE specification SET resolved = resolved || ' '",
        "UPDATE attempt SET content = content || ' '",
        "UPDATE attempt SET number = number + 1"
      })
  void damageOfAJobThatWasReadBeforeIsNoticed(String damage) throws IOException, SQLException {
    copy(closed, folder);
    JobId id = events.getFirst().job();
    try (JobStore store = open();
        Connection other = new SqliteFile(database()).source().getConnection()) {
      assertSame(store.find(id).orElseThrow(), store.find(id).orElseThrow());
      SqliteFile.execute(other, damage);
      StoreException noticed = assertThrows(StoreException.class, () -> store.find(id));
      assertTrue(noticed.problem().message().contains("checksum"), noticed::getMessage);
    }
  }

  @Test
  void damageOfAJobThatWasListedBeforeIsNoticed() throws IOException, SQLException {
    copy(closed, folder);
    try (JobStore store = open();
        Connection other = new SqliteFile(database()).source().getConnection()) {
      JobQuery newest = Jobs.all(JobQuery.Order.NEWEST, Optional.empty(), 3);
      JobSummary listed = store.list(newest).jobs().getFirst();
      assertSame(listed, store.list(newest).jobs().getFirst());
      SqliteFile.execute(other, "UPDATE job SET summary = summary || ' '");
      StoreException noticed = assertThrows(StoreException.class, () -> store.list(newest));
      assertTrue(noticed.problem().message().contains("checksum"), noticed::getMessage);
    }
  }

  @Test
  void anEmptyFileIsANewDatabase() throws IOException {
    Files.createFile(database());
    try (JobStore store = open()) {
      store.accept(Jobs.job(0), Jobs.NO_LIMITS);
    }
    try (JobStore store = open()) {
      assertEquals(1, store.counts().get("QUEUED"));
    }
  }

  @Tag("MLflow-PR-6490")
  @Test
  void whatIsLockedIsSaidAndWorksAgain() throws IOException, SQLException {
    copy(closed, folder);
    try (JobStore store = open();
        Connection other = new SqliteFile(database()).source().getConnection()) {
      SqliteFile.execute(other, "BEGIN IMMEDIATE");
      StoreException locked =
          assertThrows(StoreException.class, () -> store.accept(Jobs.job(1), Jobs.NO_LIMITS));
      assertTrue(locked.problem().message().contains("End the other process"), locked::getMessage);
      assertEquals(59, store.counts().get("QUEUED"));
      SqliteFile.execute(other, "ROLLBACK");
      store.accept(Jobs.job(1), Jobs.NO_LIMITS);
      assertEquals(60, store.counts().get("QUEUED"));
    }
  }

  @Test
  void aFullDatabaseIsSaidAndWorksAgain() throws Exception {
    copy(closed, folder);
    SqliteDatabase database = SqliteDatabase.open(database());
    try (JobStore store = new SqlJobStore(database, 50, InstantSource.system())) {
      database.write(
          connection -> Sql.number(connection, "PRAGMA max_page_count = 1")); // as much as there is
      List<StoreException> full = new ArrayList<>();
      while (full.isEmpty()) {
        try {
          store.accept(Jobs.job(1), Jobs.NO_LIMITS);
        } catch (StoreException e) {
          full.add(e);
        }
      }
      assertTrue(full.getFirst().problem().message().contains("room for it on the disk"));
      long before = store.counts().getOrDefault("QUEUED", 0L);
      store.accept(Jobs.job(2), Jobs.NO_LIMITS); // a new connection has no such limit
      assertEquals(before + 1, store.counts().get("QUEUED"));
      assertEquals(
          StatusReason.Code.WAITING_FOR_WORKER,
          store
              .find(List.copyOf(jobs.keySet()).getLast())
              .orElseThrow()
              .summary()
              .statusReason()
              .code());
    }
  }

  @Test
  void aFolderThatIsMissingIsSaid() {
    StoreException missing =
        assertThrows(
            StoreException.class,
            () -> SqlJobStore.open(new StoreSettings.Sqlite(folder.resolve("no/jobs.db"))));
    assertTrue(missing.problem().message().contains("can be written"), missing::getMessage);
  }

  @Test
  void aTornMarkIsNoDamage() throws IOException {
    copy(closed, folder);
    Files.write(
        folder.resolve("jobs.db-commits"),
        new byte[] {1, 2, 3},
        StandardOpenOption.TRUNCATE_EXISTING);
    assertTrue(!refused("mark"));
  }
}
