package dev.halfcell.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * A server that cannot be as it is asked to be does not start: one line says why, the exit code is
 * not 0, and nothing was changed. {@code -Dhalfcell.refusal.seconds=2} holds it to a time, on a
 * machine that does nothing else.
 */
@Tag("slow")
@Timeout(300)
final class StartRefusalTest {
  private static final double PATIENCE =
      Double.parseDouble(System.getProperty("halfcell.refusal.seconds", "60"));

  /** For what was asked, and for what is on the disk or elsewhere. */
  private static final Set<Integer> REFUSED = Set.of(1, 2, 6);

  @TempDir private static Path made;
  @TempDir private Path folder;

  /** A whole store that a server has made. */
  @BeforeAll
  static void make() throws Exception {
    try (Served server = Served.start(made.resolve("service"))) {
      assertEquals(0, server.end());
    }
  }

  private void refused(String contains, String... options) throws Exception {
    Path errors = folder.resolve("errors.txt");
    long before = System.nanoTime();
    Process process =
        new ProcessBuilder(Served.command(List.of(), options))
            .redirectOutput(folder.resolve("output.txt").toFile())
            .redirectError(errors.toFile())
            .start();
    boolean ended = process.waitFor(60, TimeUnit.SECONDS);
    double seconds = (System.nanoTime() - before) / 1e9;
    process.destroyForcibly();
    List<String> said =
        Files.readAllLines(errors).stream()
            .filter(line -> !line.startsWith("WARNING: Using incubator modules")) // Java's own
            .toList();
    System.out.printf("refused after %.2f s: %s%n", seconds, said);
    assertTrue(ended, () -> "it serves: " + said);
    assertTrue(REFUSED.contains(process.exitValue()), () -> process.exitValue() + ": " + said);
    assertEquals(1, said.size(), said::toString);
    assertTrue(said.getFirst().contains(contains), said::toString);
    assertTrue(said.getFirst().length() < 600, said::toString);
    assertEquals("", Files.readString(folder.resolve("output.txt")));
    assertTrue(seconds <= PATIENCE, () -> "it took " + seconds + " s");
  }

  private String data() {
    return "--data=" + folder.resolve("service");
  }

  private Path copied() throws IOException {
    Path data = Files.createDirectory(folder.resolve("service"));
    Files.copy(made.resolve("service").resolve("jobs.sqlite"), data.resolve("jobs.sqlite"));
    return data.resolve("jobs.sqlite");
  }

  @ParameterizedTest
  @CsvSource({
    "'memory: [', YAML",
    "'memroy: 12G', memroy",
    "'memory: much', 'memory'",
    "'queued: many', queued",
    "'memory: 1G\nmemory: 2G', memory"
  })
  void settingsThatMakeNoSense(String text, String contains) throws Exception {
    Path settings = Files.writeString(folder.resolve("settings.yaml"), text);
    refused(contains, data(), "--port=0", "--settings=" + settings);
  }

  @Test
  void settingsThatAreNotThere() throws Exception {
    refused("none.yaml", data(), "--port=0", "--settings=" + folder.resolve("none.yaml"));
  }

  @Test
  void aFolderThatAnotherServerHas() throws Exception {
    Path data = folder.resolve("service");
    try (Served first = Served.start(data)) {
      refused("in use by process " + first.pid(), data(), "--port=0");
      first.get("/healthz").expect(200);
    }
  }

  @Test
  void aPortThatAnotherServerHas() throws Exception {
    try (var taken = new java.net.ServerSocket(0, 1, java.net.InetAddress.getLoopbackAddress())) {
      refused("--port", data(), "--port=" + taken.getLocalPort());
    }
  }

  @Test
  void noTokenOffLoopback() throws Exception {
    refused("Give --token-file", data(), "--port=0", "--host=0.0.0.0");
  }

  @ParameterizedTest
  @CsvSource({
    "'', token",
    "'ann read', token",
    "'ann read abc', 16",
    "'ann fly 0123456789abcdef', fly",
  })
  void aTokenFileThatIsNone(String text, String contains) throws Exception {
    Path tokens = Files.writeString(folder.resolve("tokens"), text + "\n");
    refused(contains, data(), "--port=0", "--host=0.0.0.0", "--token-file=" + tokens);
  }

  @Test
  void aTokenFileThatIsNotThere() throws Exception {
    refused("--token-file", data(), "--port=0", "--token-file=" + folder.resolve("none"));
  }

  @ParameterizedTest
  @CsvSource({"mysql://a/b, --store", "postgres://127.0.0.1:1/none, a PostgreSQL that answers"})
  void aStoreThatIsNotThere(String store, String contains) throws Exception {
    String artifacts = "--artifacts=" + folder.resolve("artifacts");
    refused(contains, data(), "--port=0", "--store=" + store, artifacts);
  }

  @Test
  void aSharedStoreWithoutAFolderThatIsShared() throws Exception {
    refused("--artifacts", data(), "--port=0", "--store=postgres://127.0.0.1:1/none");
  }

  @Test
  void aStoreOfANewerVersion() throws Exception {
    change(
        copied(),
        "INSERT INTO halfcell_schema_history SELECT 99, '99', 'later', 'SQL', 'V99__later.sql', 1,"
            + " 'x', installed_on, 1, success FROM halfcell_schema_history WHERE version = '1'");
    refused("version 99", data(), "--port=0");
  }

  private static void change(Path store, String statement) throws SQLException {
    try (Connection connection = DriverManager.getConnection("jdbc:sqlite:" + store);
        Statement open = connection.createStatement()) {
      open.execute(statement);
    }
  }

  @Test
  void aStoreThatIsDamaged() throws Exception {
    Path store = copied();
    byte[] bytes = Files.readAllBytes(store);
    for (int at = 4096; at < 12_288; at++) {
      bytes[at] ^= 0x55;
    }
    Files.write(store, bytes);
    refused("a whole database of HalfCell", data(), "--port=0");
  }

  @Test
  void aStoreThatIsNone() throws Exception {
    Files.writeString(Files.createDirectory(folder.resolve("service")).resolve("jobs.sqlite"), "x");
    refused("no SQLite database", data(), "--port=0");
  }

  @Test
  void aStoreThatLostCommits() throws Exception {
    Path store = copied();
    Files.copy(
        made.resolve("service").resolve("jobs.sqlite-commits"),
        store.resolveSibling("jobs.sqlite-commits"));
    change(store, "UPDATE commit_count SET number = number - 1");
    refused("lost 1 of", data(), "--port=0");
  }

  @Test
  void aFolderThatCannotBe() throws Exception {
    Files.writeString(folder.resolve("service"), "a file");
    refused("service", data(), "--port=0");
  }
}
