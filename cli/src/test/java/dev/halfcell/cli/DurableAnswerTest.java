package dev.halfcell.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * The answer 202 leaves the real server after its job lies on the disk, as the system's calls show;
 * where the disk refuses, it never leaves.
 */
@Timeout(180)
@Tag("process")
final class DurableAnswerTest {
  private static final Path STRACE = Path.of("/usr/bin/strace");
  private static final String JOB = "{\"network\": {\"name\": \"lenet5\"}, \"retries\": 0}";

  @TempDir private Path folder;

  @BeforeEach
  void requireStrace() {
    assumeTrue(
        Files.isExecutable(STRACE), "skipped: strace is not installed (apt-get install strace)");
  }

  /** Notes each write and each sync, with the file. */
  private static List<String> strace(Path trace) {
    return List.of(
        STRACE.toString(),
        "-f",
        "-y",
        "-qq",
        "--seccomp-bpf",
        "-s",
        "5000",
        "-o",
        trace.toString(),
        "-e",
        "trace=fsync,fdatasync,pwrite64,write,writev");
  }

  @Test
  void noAnswerLeavesBeforeItsJobIsSynced() throws Exception {
    Path trace = folder.resolve("trace.txt");
    Path data = folder.resolve("new").resolve("service");
    Set<String> accepted = new LinkedHashSet<>();
    try (Served server = Served.start(strace(trace), Served.NO_PROGRAMS, data)) {
      for (int i = 0; i < 10; i++) {
        accepted.add(server.submit(JOB, "key" + i).expect(202).json().get("id").stringValue());
      }
      List<Thread> together = new ArrayList<>();
      Set<String> more = java.util.concurrent.ConcurrentHashMap.newKeySet();
      for (int i = 0; i < 10; i++) {
        String key = "together" + i;
        together.add(
            Thread.ofPlatform()
                .start(
                    () -> {
                      try {
                        more.add(server.submit(JOB, key).json().get("id").stringValue());
                      } catch (Exception e) {
                        throw new IllegalStateException(e);
                      }
                    }));
      }
      for (Thread each : together) {
        each.join();
      }
      assertEquals(10, more.size());
      accepted.addAll(more);
      assertEquals(0, server.end());
    }
    SyncTrace calls = SyncTrace.read(trace);
    accepted.forEach(id -> assertSynced(calls, data, id));
    int first = calls.first("answers 202", call -> call.sends("")).begins();
    for (Path made : List.of(folder, data.getParent(), data)) {
      assertTrue(
          calls.first("syncs " + made, call -> call.syncs(made.toString())).ends() < first,
          () -> made + " was not synced: after a crash the store is not to be found");
    }
  }

  /** The mistake that this is about is noticed: the same server without its syncs. */
  @Test
  void aServerThatDoesNotSyncIsNoticed() throws Exception {
    assumeTrue(Files.isExecutable(NoSync.COMPILER), "skipped: no compiler (apt-get install g++)");
    Path trace = folder.resolve("trace.txt");
    Path data = folder.resolve("service");
    Map<String, String> environment = new HashMap<>(Served.NO_PROGRAMS);
    environment.put("LD_PRELOAD", NoSync.compile(folder).toString());
    String id;
    try (Served server = Served.start(strace(trace), environment, data)) {
      id = server.submit(JOB, "key").expect(202).json().get("id").stringValue();
      assertEquals(0, server.end());
    }
    SyncTrace calls = SyncTrace.read(trace);
    AssertionError noticed =
        assertThrows(AssertionError.class, () -> assertSynced(calls, data, id));
    assertEquals("no call that syncs after " + id, noticed.getMessage());
  }

  /** Its page is written, then the log is synced, then the answer is begun. */
  private static void assertSynced(SyncTrace calls, Path data, String id) {
    String log = data.resolve("jobs.sqlite-wal").toString();
    SyncTrace.Call written = calls.first("writes " + id, call -> call.writes(log, id));
    SyncTrace.Call synced =
        calls.first("syncs after " + id, call -> call.syncs(log) && call.begins() > written.ends());
    SyncTrace.Call sent = calls.first("answers " + id, call -> call.sends(id));
    assertTrue(
        synced.ends() < sent.begins(),
        () -> "the answer left at line " + sent.begins() + ", synced at " + synced.ends());
  }

  /** The running server is taken hold of, so that all calls before and after are as they are. */
  @ParameterizedTest
  @Tag("slow")
  @CsvSource({
    "'fsync,fdatasync', EIO",
    "'fsync,fdatasync', ENOSPC",
    "pwrite64, EIO",
    "pwrite64, ENOSPC"
  })
  void whereTheDiskRefusesNoJobIsAccepted(String calls, String error) throws Exception {
    Path data = folder.resolve("service");
    Set<String> accepted = new LinkedHashSet<>();
    List<String> keys = new ArrayList<>();
    try (Served server = Served.start(List.of(), Served.NO_PROGRAMS, data)) {
      accepted.add(server.submit(JOB, "before").expect(202).json().get("id").stringValue());
      keys.add("before");
      Process strace = refuse(server.pid(), calls, error);
      for (int i = 0; i < 3; i++) {
        String detail = server.submit(JOB, "key" + i).unavailable();
        keys.add("key" + i);
        assertTrue(detail.startsWith("The store cannot be read or written now"), detail);
        server.assertReads(accepted);
      }
      strace.destroy();
      assertTrue(strace.waitFor(10, TimeUnit.SECONDS));
      for (String key : keys) {
        accepted.add(server.submit(JOB, key).expect(202).json().get("id").stringValue());
      }
      server.assertReads(accepted);
      server.kill();
    }
    try (Served next = Served.start(List.of(), Served.NO_PROGRAMS, data)) {
      next.assertReads(accepted);
      assertEquals(keys.size(), next.jobs().size(), "each key has one job");
      assertEquals(0, next.end());
    }
  }

  private static Process refuse(long pid, String calls, String error) throws Exception {
    Process strace =
        new ProcessBuilder(
                STRACE.toString(),
                "-f",
                "-p",
                Long.toString(pid),
                "-o",
                "/dev/null",
                "-e",
                "trace=" + calls,
                "-e",
                "inject=" + calls + ":error=" + error)
            .redirectErrorStream(true)
            .start();
    BufferedReader said =
        new BufferedReader(new InputStreamReader(strace.getInputStream(), StandardCharsets.UTF_8));
    String line = said.readLine();
    assertTrue(line != null && line.contains("attached"), String.valueOf(line));
    return strace;
  }
}
