package dev.halfcell.rest.store;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.halfcell.rest.job.JobId;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.Connection;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What was accepted is there after {@code kill -9} at any moment. */
@Tag("process")
final class StoreKillTest {
  @TempDir Path folder;

  /** The process that is killed: prints the id of each job that was accepted. */
  static final class Accepter {
    private Accepter() {}

    public static void main(String[] args) throws Exception {
      JobStore store = SqlJobStore.open(new StoreSettings.Sqlite(Path.of(args[0])));
      AcceptContract.together(
          4,
          _ -> {
            while (true) {
              NewJob job = Jobs.job(0);
              store.accept(job, Jobs.NO_LIMITS);
              synchronized (store) {
                System.out.println(job.id());
                System.out.flush();
              }
            }
          });
    }
  }

  @Test
  void nothingThatWasAcceptedIsLost() throws Exception {
    long seed = Long.getLong("halfcell.kills.seed", 14);
    int kills = Integer.getInteger("halfcell.kills", 3);
    System.out.println("StoreKillTest: seed " + seed);
    Random random = new Random(seed);
    Path file = folder.resolve("jobs.db");
    List<JobId> accepted = new ArrayList<>();
    for (int kill = 0; kill < kills; kill++) {
      accepted.addAll(acceptedUntilKilled(file, 1 + random.nextInt(150), random.nextInt(20)));
      try (JobStore store = SqlJobStore.open(new StoreSettings.Sqlite(file))) {
        for (JobId id : accepted) {
          assertTrue(store.find(id).isPresent(), () -> "lost " + id + ", seed " + seed);
        }
      }
      try (Connection connection = new SqliteFile(file).source().getConnection()) {
        assertEquals(
            "ok",
            Sql.first(connection, "PRAGMA integrity_check", row -> row.getString(1)).orElse(""));
      }
    }
    System.out.println("StoreKillTest: " + accepted.size() + " accepted, none lost");
  }

  private static List<JobId> acceptedUntilKilled(Path file, int jobs, int millis)
      throws IOException, InterruptedException {
    Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:+UseSerialGC",
                "--enable-native-access=ALL-UNNAMED",
                "-cp",
                System.getProperty("java.class.path"),
                Accepter.class.getName(),
                file.toString())
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    List<JobId> accepted = new ArrayList<>();
    try (BufferedReader out = process.inputReader()) {
      for (String line = out.readLine(); line != null; line = out.readLine()) {
        JobId.parse(line).ifPresent(accepted::add); // the last line may be cut
        if (accepted.size() == jobs) {
          Thread.sleep(millis);
          process.toHandle().destroyForcibly(); // the other way closes what it still prints
        }
      }
    } finally {
      process.destroyForcibly();
    }
    process.waitFor();
    assertTrue(accepted.size() >= jobs, "the process ended by itself");
    return accepted;
  }
}
