package dev.halfcell.testkit;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * A PostgreSQL of its own for a test class, in a folder that goes with it. Its driver is whatever
 * the test's class path has.
 */
public final class PostgresProcess implements AutoCloseable {
  private static final Path INSTALLED = Path.of("/usr/lib/postgresql/15/bin");
  private static final String USER = "halfcell";
  private static final String PASSWORD = "for tests";

  private final Path folder;
  private final int port;
  private Process process;

  private PostgresProcess(Path folder, int port) throws IOException {
    this.folder = folder;
    this.port = port;
    this.process = spawn();
  }

  /** Skips the tests where PostgreSQL is not installed. */
  public static PostgresProcess start() throws Exception {
    assumeTrue(
        Files.isExecutable(INSTALLED.resolve("initdb")),
        "skipped: PostgreSQL is not installed (apt-get install postgresql-15)");
    Path folder = Files.createTempDirectory("halfcell-postgres");
    Path password = Files.writeString(folder.resolve("password"), PASSWORD);
    if (root()) {
      run(List.of("chown", "-R", "postgres", folder.toString()));
    }
    run(
        asUser(
            INSTALLED.resolve("initdb").toString(),
            "--pgdata=" + folder.resolve("data"),
            "--username=" + USER,
            "--pwfile=" + password,
            "--auth=scram-sha-256",
            "--encoding=UTF8",
            "--no-sync",
            "--locale=C.UTF-8"));
    PostgresProcess server = new PostgresProcess(folder, freePort());
    server.await();
    return server;
  }

  private static int freePort() throws IOException {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    }
  }

  private Process spawn() throws IOException {
    Process started =
        new ProcessBuilder(
                asUser(
                    INSTALLED.resolve("postgres").toString(),
                    "-D",
                    folder.resolve("data").toString(),
                    "-p",
                    String.valueOf(port),
                    "-k",
                    folder.toString(),
                    "-c",
                    "listen_addresses=127.0.0.1"))
            .redirectErrorStream(true)
            .redirectOutput(folder.resolve("log").toFile())
            .start();
    Runtime.getRuntime().addShutdownHook(new Thread(started::destroyForcibly));
    return started;
  }

  private void await() throws Exception {
    SQLException last = new SQLException("not tried");
    for (int i = 0; i < 200 && process.isAlive(); i++) {
      try {
        connect().close();
        return;
      } catch (SQLException e) {
        last = e;
        Thread.sleep(100);
      }
    }
    throw new IllegalStateException(Files.readString(folder.resolve("log")), last);
  }

  /** A connection to be closed by the caller. */
  public Connection connect() throws SQLException {
    return DriverManager.getConnection(
        "jdbc:postgresql://127.0.0.1:" + port + "/postgres", USER, PASSWORD);
  }

  /** As {@code --store} takes it. */
  public String url() {
    return "postgres://" + USER + "@127.0.0.1:" + port + "/postgres";
  }

  /** That of the user whom {@link #url} names. */
  public String password() {
    return PASSWORD;
  }

  /** Ends it as a crash does, and starts it again. */
  public void restart() throws Exception {
    process.destroyForcibly().waitFor();
    Thread.sleep(500); // its children see that it is gone
    process = spawn();
    await();
  }

  @Override
  public void close() throws Exception {
    process.destroy();
    if (!process.waitFor(10, TimeUnit.SECONDS)) {
      process.destroyForcibly().waitFor();
    }
    try (Stream<Path> files = Files.walk(folder)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(file);
      }
    }
  }

  private static boolean root() {
    return "root".equals(System.getProperty("user.name"));
  }

  /** PostgreSQL refuses to run as root. */
  private static List<String> asUser(String... command) {
    List<String> all = new ArrayList<>();
    if (root()) {
      all.addAll(List.of("setpriv", "--reuid=postgres", "--regid=postgres", "--clear-groups"));
    }
    all.addAll(List.of(command));
    return all;
  }

  private static void run(List<String> command) throws Exception {
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    if (process.waitFor() != 0) {
      throw new IllegalStateException(command + ": " + said);
    }
  }
}
