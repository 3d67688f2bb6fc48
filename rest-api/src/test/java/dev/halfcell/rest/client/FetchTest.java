package dev.halfcell.rest.client;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.halfcell.tensor.DataException;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A file has its name here only when every byte of it is right. */
final class FetchTest {
  private static final String NAME = "model.safetensors";
  private static final int LENGTH = 50_000;

  @TempDir private Path folder;

  private final byte[] bytes = bytes(1);

  private static byte[] bytes(int seed) {
    byte[] bytes = new byte[LENGTH];
    new Random(seed).nextBytes(bytes);
    return bytes;
  }

  private static String hash(byte[] bytes) {
    try {
      return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(bytes));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }

  private static Artifact artifact(String name, byte[] of) {
    return new Artifact(name, of.length, hash(of), "application/octet-stream", Instant.EPOCH);
  }

  private Path fetch(HalfCellClient client) {
    return client.fetch(Jobs.ID, artifact(NAME, bytes), folder);
  }

  private static int from(ScriptedServer.Request request) {
    String range = request.header("range");
    return range.isEmpty() ? 0 : Integer.parseInt(range.replaceAll("bytes=(\\d+)-", "$1"));
  }

  /** What a service answers. */
  private static byte[] part(byte[] whole, int from) {
    String type = "application/octet-stream";
    String hash = "X-Content-SHA256: " + hash(whole);
    byte[] body = Arrays.copyOfRange(whole, from, whole.length);
    String range = "Content-Range: bytes " + from + "-" + (whole.length - 1) + "/" + whole.length;
    return from == 0
        ? ScriptedServer.answer(200, type, body, hash)
        : ScriptedServer.answer(206, type, body, hash, range);
  }

  private static void write(OutputStream out, byte[] answer, int most) throws IOException {
    out.write(answer, 0, Math.min(most, answer.length));
  }

  private List<String> files() throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      return files.map(file -> String.valueOf(file.getFileName())).sorted().toList();
    }
  }

  private void assertFetched(ScriptedServer server, Duration patience) throws IOException {
    try (server;
        HalfCellClient client = server.client(patience)) {
      assertArrayEquals(bytes, Files.readAllBytes(fetch(client)));
      assertEquals(List.of(NAME), files());
    }
  }

  @Test
  void aDownloadThatIsCutGoesOnWhereItWas() throws IOException {
    List<Integer> asked = new ArrayList<>();
    assertFetched(
        new ScriptedServer(
            (request, out) -> {
              asked.add(from(request));
              write(out, part(bytes, from(request)), 20_000);
            }),
        Duration.ofSeconds(2));
    assertTrue(asked.size() >= 3, asked::toString);
    assertEquals(asked.stream().sorted().distinct().toList(), asked);
  }

  @Test
  void aServerThatKnowsNoRangesSendsAllOfItAgain() throws IOException {
    AtomicInteger asked = new AtomicInteger();
    assertFetched(
        new ScriptedServer(
            (_, out) ->
                write(
                    out,
                    part(bytes, 0),
                    asked.getAndIncrement() == 0 ? 20_000 : Integer.MAX_VALUE)),
        Duration.ofSeconds(5));
  }

  @Test
  void whatIsThereIsNotFetchedAgain() throws IOException {
    Files.write(folder.resolve(NAME), bytes);
    try (ScriptedServer server = new ScriptedServer((_, _) -> {});
        HalfCellClient client = server.client()) {
      fetch(client);
      assertEquals(List.of(), server.requests());
    }
  }

  @Test
  void wrongBytesNeverGetTheName() throws IOException {
    Files.writeString(folder.resolve(NAME), "old");
    byte[] wrong = bytes.clone();
    wrong[LENGTH - 1] ^= 1;
    try (ScriptedServer server =
            new ScriptedServer(
                (_, out) ->
                    out.write(ScriptedServer.answer(200, "application/octet-stream", wrong)));
        HalfCellClient client = server.client()) {
      DataException e = assertThrows(DataException.class, () -> fetch(client));
      assertTrue(e.problem().message().contains(hash(bytes)), e.problem().message());
      assertEquals("old", Files.readString(folder.resolve(NAME)));
      assertEquals(List.of(NAME), files());
    }
  }

  @Test
  void aDamagedPartOfAnotherTimeIsFetchedAnew() throws IOException {
    String part = "." + NAME + "." + hash(bytes).substring(0, 16) + ".partial";
    Files.write(folder.resolve(part), new byte[1000]);
    assertFetched(
        new ScriptedServer((request, out) -> out.write(part(bytes, from(request)))),
        Duration.ofSeconds(5));
  }

  @Test
  void whatCameIsKeptForTheNextTime() throws IOException {
    AtomicInteger asked = new AtomicInteger();
    try (ScriptedServer server =
            new ScriptedServer(
                (_, out) -> {
                  if (asked.getAndIncrement() == 0) {
                    write(out, part(bytes, 0), 20_000);
                  }
                });
        HalfCellClient client = server.client(Duration.ofSeconds(1))) {
      assertThrows(UnreachableException.class, () -> fetch(client));
    }
    assertFalse(Files.exists(folder.resolve(NAME)));
    List<Integer> froms = new ArrayList<>();
    assertFetched(
        new ScriptedServer(
            (request, out) -> {
              froms.add(from(request));
              out.write(part(bytes, from(request)));
            }),
        Duration.ofSeconds(5));
    assertTrue(froms.getFirst() > 10_000, froms::toString);
  }

  @Test
  void aFileThatHasChangedIsFetchedAsItIsNow() throws IOException {
    byte[] now = bytes(2);
    String list =
        """
        {"artifacts":[{"name":"%s","bytes":%d,"sha256":"%s","mediaType":"x",
         "modifiedAt":"2026-01-01T00:00:00Z"}]}"""
            .formatted(NAME, now.length, hash(now));
    try (ScriptedServer server =
            new ScriptedServer(
                (request, out) ->
                    out.write(
                        request.path().endsWith("artifacts")
                            ? ScriptedServer.json(200, list)
                            : part(now, 0)));
        HalfCellClient client = server.client()) {
      assertArrayEquals(now, Files.readAllBytes(fetch(client)));
    }
  }

  @Test
  void anEmptyFileIsAFile() throws IOException {
    try (ScriptedServer server = new ScriptedServer((_, _) -> {});
        HalfCellClient client = server.client()) {
      Path file = client.fetch(Jobs.ID, artifact("empty.txt", new byte[0]), folder);
      assertEquals(0, Files.size(file));
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"../x", "a/b", "/etc/x", "..", ".", ".hidden", "", "a\\b", "a\nb"})
  void aNameThatLeavesTheFolderIsNoArtifact(String name) {
    try (ScriptedServer server = new ScriptedServer((_, _) -> {});
        HalfCellClient client = server.client()) {
      Artifact odd = artifact(name, bytes);
      assertThrows(AnswerException.class, () -> client.fetch(Jobs.ID, odd, folder));
    }
  }

  @Test
  void bytesThatWereNotAskedForAreNoAnswer() throws IOException {
    String part = "." + NAME + "." + hash(bytes).substring(0, 16) + ".partial";
    Files.write(folder.resolve(part), Arrays.copyOf(bytes, 1000));
    try (ScriptedServer server = new ScriptedServer((_, out) -> out.write(part(bytes, 500)));
        HalfCellClient client = server.client()) {
      assertThrows(AnswerException.class, () -> fetch(client));
    }
  }
}
