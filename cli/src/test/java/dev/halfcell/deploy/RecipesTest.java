package dev.halfcell.deploy;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.halfcell.testkit.PostgresProcess;
import dev.halfcell.zoo.host.ByteCount;
import java.io.IOException;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.dataformat.yaml.YAMLMapper;

/**
 * What of the recipes can be tried without Kubernetes and Slurm: what they say fits together, and
 * their very command lines start servers that are ready, answer their probes, and end as they are
 * told to.
 */
@Tag("process")
final class RecipesTest {
  private static final String DATABASE = "postgres://halfcell@postgres:5432/halfcell";

  /** A server's own promise; a recipe has to leave it that. */
  private static final int DRAIN_SECONDS = 10;

  private static PostgresProcess[] database = {};

  @TempDir private Path folder;

  @BeforeAll
  static void startDatabase() throws Exception {
    database = new PostgresProcess[] {PostgresProcess.start()};
  }

  @AfterAll
  static void stopDatabase() throws Exception {
    for (PostgresProcess each : database) {
      each.close();
    }
  }

  /** So that each test is a store's first, whose folder of files is new too. */
  private static void empty() throws Exception {
    try (var connection = database[0].connect();
        var statement = connection.createStatement()) {
      statement.execute("DROP SCHEMA public CASCADE");
      statement.execute("CREATE SCHEMA public");
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"halfcell-serve", "halfcell-worker"})
  void whatADeploymentSaysFitsTogether(String name) throws IOException {
    Manifests manifests = Manifests.read();
    JsonNode deployment = manifests.of("Deployment", name);
    assertEquals(
        deployment.at("/spec/selector/matchLabels"),
        deployment.at("/spec/template/metadata/labels"));
    JsonNode pod = manifests.pod(name);
    assertTrue(pod.path("terminationGracePeriodSeconds").asInt() > DRAIN_SECONDS);
    assertTrue(pod.at("/securityContext/runAsNonRoot").asBoolean());
    JsonNode container = manifests.container(name);
    JsonNode password = Manifests.named(container.path("env"), "HALFCELL_STORE_PASSWORD");
    JsonNode secret = password.at("/valueFrom/secretKeyRef");
    assertTrue(
        manifests
            .of("Secret", secret.path("name").asString())
            .path("stringData")
            .has(secret.path("key").asString()));
    assertTrue(manifests.arguments(name).contains("--store=" + DATABASE));
    assertTrue(manifests.arguments(name).contains("--artifacts=/artifacts"));
    String claim =
        Manifests.named(pod.path("volumes"), "artifacts")
            .at("/persistentVolumeClaim/claimName")
            .asString();
    assertEquals(
        "[\"ReadWriteMany\"]",
        manifests.of("PersistentVolumeClaim", claim).at("/spec/accessModes").toString());
  }

  /** The jobs may not have all that the container may: the server itself is in it too. */
  @ParameterizedTest
  @ValueSource(strings = {"halfcell-serve", "halfcell-worker"})
  void jobsLeaveTheServerRoomInItsContainer(String name) throws IOException {
    Manifests manifests = Manifests.read();
    String file = manifests.of("ConfigMap", "halfcell").at("/data/settings.yaml").asString();
    long jobs = bytes(new YAMLMapper().readTree(file).path("memory").asString());
    long limit =
        bytes(
            manifests
                .container(name)
                .at("/resources/limits/memory")
                .asString()
                .replaceFirst("i$", ""));
    assertTrue(jobs <= limit - (1L << 30), () -> jobs + " of " + limit);
  }

  private static long bytes(String text) {
    return ByteCount.of(text).orElseThrow(() -> new AssertionError(text));
  }

  @Test
  void theServiceFindsThePortThatServersListenAt() throws IOException {
    Manifests manifests = Manifests.read();
    JsonNode service = manifests.of("Service", "halfcell").path("spec");
    JsonNode serve = manifests.of("Deployment", "halfcell-serve").at("/spec/template");
    assertEquals(serve.at("/metadata/labels"), service.path("selector"));
    String port = service.at("/ports/0/targetPort").asString();
    JsonNode listens =
        Manifests.named(manifests.container("halfcell-serve").path("ports"), port)
            .path("containerPort");
    List<String> arguments = manifests.arguments("halfcell-serve");
    assertTrue(arguments.contains("--port=" + listens.asInt()), arguments::toString);
    assertTrue(arguments.contains("--host=0.0.0.0"), arguments::toString);
    assertTrue(arguments.stream().anyMatch(word -> word.startsWith("--token-file=")));
  }

  private Map<String, String> password() {
    return Map.of("HALFCELL_STORE_PASSWORD", database[0].password());
  }

  /** A container's command line, with its mounts below a folder and this test's database. */
  private List<String> command(Manifests manifests, String name) throws IOException {
    Map<String, Path> mounts = manifests.mount(name, folder);
    Map<String, String> other = new LinkedHashMap<>();
    other.put("--store=" + DATABASE, "--store=" + database[0].url());
    other.put("--host=0.0.0.0", "--host=127.0.0.1");
    other.put("--port=8080", "--port=0");
    List<String> command = ReadyProcess.halfcell();
    for (String word : manifests.arguments(name)) {
      command.add(other.containsKey(word) ? other.get(word) : below(mounts, word));
    }
    return command;
  }

  private static String below(Map<String, Path> mounts, String word) {
    String value = word.substring(word.indexOf('=') + 1);
    return mounts.keySet().stream()
        .filter(mount -> value.equals(mount) || value.startsWith(mount + "/"))
        .max(Comparator.comparingInt(String::length))
        .map(mount -> word.replace("=" + mount, "=" + mounts.get(mount)))
        .orElse(word);
  }

  @Test
  void containersStartAnswerTheirProbesAndEnd() throws Exception {
    empty();
    Manifests manifests = Manifests.read();
    JsonNode serve = manifests.container("halfcell-serve");
    try (ReadyProcess server =
            ReadyProcess.start(command(manifests, "halfcell-serve"), password(), folder);
        ReadyProcess worker =
            ReadyProcess.start(command(manifests, "halfcell-worker"), password(), folder)) {
      assertTrue(worker.line().startsWith("Training jobs of the queue as server "), worker.line());
      URI address = URI.create(server.line().replaceAll("^Serving jobs at (\\S+);.*", "$1"));
      for (String probe : List.of("startupProbe", "livenessProbe", "readinessProbe")) {
        JsonNode get = serve.path(probe).path("httpGet");
        assertEquals("http", get.path("port").asString());
        assertEquals("HTTP/1.1 200 OK", answer(address, get), probe);
      }
      server.process().destroy();
      worker.process().destroy();
      server.assertEnded(DRAIN_SECONDS);
      worker.assertEnded(DRAIN_SECONDS);
    }
  }

  /** The first line of what a probe gets, sent with the headers that it says. */
  private static String answer(URI address, JsonNode get) throws IOException {
    StringBuilder request = new StringBuilder("GET " + get.path("path").asString() + " HTTP/1.1");
    for (JsonNode header : get.path("httpHeaders")) {
      request.append(
          "\r\n%s: %s".formatted(header.path("name").asString(), header.path("value").asString()));
    }
    request.append("\r\nConnection: close\r\n\r\n");
    try (Socket socket = new Socket(address.getHost(), address.getPort())) {
      socket.getOutputStream().write(request.toString().getBytes(StandardCharsets.US_ASCII));
      String all = new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      return all.lines().findFirst().orElse("nothing");
    }
  }

  private static Path script() {
    return Path.of(System.getProperty("halfcell.root"), "deploy", "slurm", "halfcell.sbatch");
  }

  private void stub(String name, String text) throws IOException {
    Path file = Files.writeString(folder.resolve("bin").resolve(name), "#!/bin/bash\n" + text);
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
  }

  private static String quoted(List<String> words) {
    return words.stream()
        .map(word -> "'" + word.replace("'", "'\\''") + "'")
        .collect(Collectors.joining(" "));
  }

  /** What sbatch gives the script, and programs of Slurm that do what it has them do here. */
  private Map<String, String> slurm() throws IOException {
    Files.createDirectories(folder.resolve("bin"));
    stub("srun", "exec \"$@\"\n");
    stub("scontrol", "echo \"$@\" > '" + folder.resolve("scontrol") + "'\n");
    stub("halfcell", "exec " + quoted(ReadyProcess.halfcell()) + " \"$@\"\n");
    Path settings =
        Files.writeString(
            folder.resolve("settings.yaml"),
            "dataset: embedded\nstorePassword: \"%s\"\n".formatted(database[0].password()));
    Map<String, String> environment = new HashMap<>();
    environment.put("PATH", folder.resolve("bin") + ":" + System.getenv("PATH"));
    environment.put("SLURM_JOB_ID", "7");
    environment.put("TMPDIR", folder.toString());
    environment.put("HALFCELL_STORE", database[0].url());
    environment.put("HALFCELL_ARTIFACTS", folder.resolve("artifacts").toString());
    environment.put("HALFCELL_SETTINGS", settings.toString());
    environment.put("HALFCELL_AGAIN", "yes");
    return environment;
  }

  @Test
  void theBatchScriptTrainsUntilItsTimeIsOver() throws Exception {
    empty();
    try (ReadyProcess batch =
        ReadyProcess.start(List.of("bash", script().toString()), slurm(), folder)) {
      assertTrue(batch.line().startsWith("Training jobs of the queue as server "), batch.line());
      // Slurm signals the steps and not the script.
      ProcessHandle step = batch.process().children().findFirst().orElseThrow();
      assertTrue(step.destroy());
      batch.assertEnded(DRAIN_SECONDS);
      assertEquals("requeue 7\n", Files.readString(folder.resolve("scontrol")));
    }
  }

  @Test
  void theBatchScriptAsksSlurmForTimeToDrain() throws IOException {
    Map<String, String> options =
        Files.readAllLines(script()).stream()
            .filter(line -> line.startsWith("#SBATCH --"))
            .map(line -> line.substring("#SBATCH --".length()).split("=", 2))
            .collect(
                Collectors.toMap(words -> words[0], words -> words.length > 1 ? words[1] : ""));
    String[] signal = options.getOrDefault("signal", "").split("@", 2);
    assertEquals("TERM", signal[0], Arrays.toString(signal));
    assertTrue(Integer.parseInt(signal[1]) > DRAIN_SECONDS);
    assertTrue(options.containsKey("requeue"));
    assertTrue(options.containsKey("time"));
    assertEquals("1", options.get("ntasks-per-node"));
  }
}
