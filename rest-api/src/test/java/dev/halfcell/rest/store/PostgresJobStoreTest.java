package dev.halfcell.rest.store;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.halfcell.rest.job.JobId;
import dev.halfcell.tensor.ArgumentException;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The contract on PostgreSQL, and what is asked of it alone. */
@Tag("process")
final class PostgresJobStoreTest extends JobStoreContract {
  private static PostgresServer server;

  @BeforeAll
  static void start() throws Exception {
    server = PostgresServer.start();
  }

  @AfterAll
  static void stop() throws Exception {
    if (server != null) {
      server.close();
    }
  }

  @Override
  Database empty() {
    try {
      server.truncate();
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
    return again();
  }

  @Override
  Database again() {
    return SqlJobStore.database(server.settings());
  }

  @Override
  void onTheSide(String statement) throws SQLException {
    try (Connection connection = server.connect()) {
      Sql.update(connection, statement);
    }
  }

  @Test
  void aSecondServerSharesTheQueue() {
    try (JobStore other = SqlJobStore.open(server.settings())) {
      NewJob job = Jobs.job(0);
      accept(job);
      assertEquals(job.id(), other.claim(Jobs.claim("t", 1)).orElseThrow().job().id());
      assertEquals(Optional.empty(), store().claim(Jobs.claim("s", 1)));
      assertEquals(other.find(job.id()), store().find(job.id()));
    }
  }

  @Test
  void whatAnotherServerMayHaveWrittenIsNotKnown() {
    JobId job = accept(Jobs.job(0)).id();
    there(job);
    there(job);
    assertEquals(Optional.empty(), store().known(job));
  }

  @Test
  void capsHoldForServersTogether() throws Exception {
    try (JobStore other = SqlJobStore.open(server.settings())) {
      List<Acceptance> all =
          together(
              12,
              i -> (i % 2 == 0 ? other : store()).accept(Jobs.job(i), new AcceptLimits(5, 100)));
      assertEquals(5, all.stream().filter(a -> a instanceof Acceptance.Accepted).count());
    }
  }

  @Test
  void aJobThatAnotherIsTakingIsNotWaitedFor() throws Exception {
    accept(Jobs.job(0));
    NewJob second = Jobs.job(1);
    accept(second);
    try (ExecutorService executor = Executors.newSingleThreadExecutor();
        Connection other = server.connect()) { // closed first: then a claim that waits goes on
      other.setAutoCommit(false);
      Sql.query(
          other,
          "SELECT id FROM job ORDER BY created_at LIMIT 1 FOR UPDATE",
          row -> row.getString(1));
      Future<JobId> claimed = executor.submit(() -> claimed("s", 2).id());
      assertEquals(second.id(), claimed.get(20, TimeUnit.SECONDS));
    }
  }

  @Test
  void anotherProgramsDatabaseIsLeftAsItIs() throws Exception {
    store().close();
    server.clear();
    try (Connection connection = server.connect()) {
      Sql.update(connection, "CREATE TABLE theirs (id INTEGER)");
    }
    StoreException refused =
        assertThrows(StoreException.class, () -> SqlJobStore.open(server.settings()));
    assertTrue(
        refused.problem().message().contains("expected an empty database"), refused::getMessage);
    try (Connection connection = server.connect()) {
      assertEquals(
          1,
          Sql.number(
              connection,
              "SELECT COUNT(*) FROM information_schema.tables WHERE table_schema = 'public'"));
    }
  }

  @Tag("MLflow-4353")
  @Test
  void serversThatStartAtOnceMakeTheTablesOnce() throws Exception {
    store().close();
    server.clear();
    List<JobId> accepted =
        together(
            5,
            i -> {
              try (JobStore each = SqlJobStore.open(server.settings())) {
                NewJob job = Jobs.job(i);
                each.accept(job, Jobs.NO_LIMITS);
                return job.id();
              }
            });
    try (JobStore after = SqlJobStore.open(server.settings())) {
      assertTrue(accepted.stream().allMatch(id -> after.find(id).isPresent()));
    }
  }

  @Test
  void aNewerDatabaseIsLeftAsItIs() throws Exception {
    accept(Jobs.job(0));
    try (Connection connection = server.connect()) {
      Sql.update(connection, SqliteDamageTest.NEWER);
    }
    StoreException refused =
        assertThrows(StoreException.class, () -> SqlJobStore.open(server.settings()));
    assertTrue(refused.problem().message().contains("version 99"), refused::getMessage);
  }

  @Test
  void whereNobodyAnswersOrLetsOneInIsSaidWithoutAPassword() {
    StoreSettings.Postgres right = server.settings();
    for (StoreSettings.Postgres wrong :
        new StoreSettings.Postgres[] {
          new StoreSettings.Postgres(
              "postgres://127.0.0.1:1/none", right.user(), Optional.of("s3cret")),
          new StoreSettings.Postgres(right.url(), right.user(), Optional.of("s3cret"))
        }) {
      StoreException refused = assertThrows(StoreException.class, () -> SqlJobStore.open(wrong));
      assertFalse((refused + " " + wrong).contains("s3cret"), refused::getMessage);
    }
  }

  @Test
  void connectionsThatAreCutAreMadeAnew() throws Exception {
    accept(Jobs.job(0));
    try (Connection connection = server.connect()) {
      Sql.query(
          connection,
          "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
              + " WHERE pid <> pg_backend_pid() AND backend_type = 'client backend'",
          row -> row.getBoolean(1));
    }
    StoreException cut = assertThrows(StoreException.class, () -> store().counts());
    assertTrue(cut.problem().message().contains("a PostgreSQL that answers"), cut::getMessage);
    assertEquals(1, store().counts().get("QUEUED"));
    accept(Jobs.job(1));
  }

  @Test
  void whoNeedNotWaitForTheDiskDoes() throws Exception {
    alter("ALTER ROLE halfcell SET synchronous_commit = off");
    try (Database opened = SqlJobStore.database(server.settings())) {
      String set =
          opened.write(
              connection ->
                  Sql.first(connection, "SHOW synchronous_commit", row -> row.getString(1)).get());
      assertEquals("on", set);
    } finally {
      alter("ALTER ROLE halfcell RESET synchronous_commit");
    }
  }

  /** Else it would wait on in the database, one for each try; those who come together wait once. */
  @Test
  void whoWaitsForAServerThatStandsStillGivesUp() throws Exception {
    try (Connection standing = server.connect()) {
      standing.setAutoCommit(false);
      Sql.query(standing, "SELECT pg_advisory_xact_lock(?)", row -> true, 0x48616c6643656c6cL);
      long start = System.nanoTime();
      AcceptContract.together(
          6, i -> assertThrows(StoreException.class, () -> accept(Jobs.job(i))));
      long seconds = TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - start);
      assertTrue(seconds < 30, () -> seconds + " s"); // the first one, and then the others
      assertEquals(
          0,
          Sql.number(
              standing,
              "SELECT COUNT(*) FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname ="
                  + " current_database()"));
      standing.rollback();
    }
    accept(Jobs.job(1));
  }

  /** Its locks would keep other servers from theirs. */
  @Test
  void aServerThatStandsStillInATransactionLosesIt() throws Exception {
    try (Database opened = SqlJobStore.database(server.settings())) {
      String set =
          opened.read(
              connection ->
                  Sql.first(
                          connection,
                          "SHOW idle_in_transaction_session_timeout",
                          row -> row.getString(1))
                      .get());
      assertEquals("10s", set);
    }
  }

  @Test
  void aServerThatDoesNotSyncIsRefused() throws Exception {
    alter("ALTER SYSTEM SET fsync = off");
    try {
      StoreException refused =
          assertThrows(StoreException.class, () -> SqlJobStore.open(server.settings()));
      assertTrue(refused.problem().message().contains("fsync = off"), refused::getMessage);
    } finally {
      alter("ALTER SYSTEM RESET fsync");
    }
    SqlJobStore.open(server.settings()).close();
  }

  private static void alter(String statement) throws Exception {
    try (Connection connection = server.connect()) {
      Sql.update(connection, statement);
      Sql.query(connection, "SELECT pg_reload_conf()", row -> true);
    }
    Thread.sleep(300); // the server's processes hear of it by a signal
  }

  @Test
  void whatPostgresLostComesBackWithIt() throws Exception {
    accept(Jobs.job(0));
    server.restart();
    Exception last = null;
    for (int i = 0; i < 20; i++) {
      try {
        accept(Jobs.job(1));
        last = null;
        break;
      } catch (StoreException e) { // connections of before
        last = e;
      }
    }
    assertEquals(null, last);
    assertEquals(2, store().counts().get("QUEUED"));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "postgres://u:p@host/db",
        "postgres://host/db?password=p",
        "mysql://host/db",
        "postgres:",
        "not a url",
        ""
      })
  void otherUrlsAreRefused(String url) {
    assertThrows(ArgumentException.class, () -> PostgresUrl.parse(url));
  }

  @Test
  void urlsAreReadAsTheyAreWritten() {
    assertEquals(
        new PostgresUrl("jdbc:postgresql://host:1/db?ssl=true", Optional.of("ann")),
        PostgresUrl.parse("postgres://ann@host:1/db?ssl=true"));
    assertEquals(
        new PostgresUrl("jdbc:postgresql://host/db", Optional.empty()),
        PostgresUrl.parse("jdbc:postgresql://host/db"));
    assertEquals("postgresql://host/db", PostgresUrl.parse("postgres://host/db?a=b").shown());
  }
}
