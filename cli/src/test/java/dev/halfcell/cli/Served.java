package dev.halfcell.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assertions.fail;

import dev.halfcell.zoo.host.JavaOptions;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import java.util.stream.StreamSupport;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * {@code halfcell serve} in a process of its own, begun as a test wants it and asked without a
 * client that tries again.
 */
final class Served implements AutoCloseable {
  /** Where no program is: a server that was started with it can start no worker. */
  static final Map<String, String> NO_PROGRAMS = Map.of("PATH", "/nonexistent");

  private static final JsonMapper JSON = new JsonMapper();
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  private final HttpClient client = HttpClient.newHttpClient();
  private final Process process;
  private final Path errors;
  private final Path data;
  private final URI address;

  private Served(Process process, Path errors, Path data, URI address) {
    this.process = process;
    this.errors = errors;
    this.data = data;
    this.address = address;
  }

  /** An answer, and its body as JSON where it is. */
  record Answer(int status, String body, HttpResponse<String> whole) {
    JsonNode json() {
      return JSON.readTree(body);
    }

    Answer expect(int wanted) {
      assertEquals(wanted, status, body);
      return this;
    }

    /** It says when to come again, and why not now. */
    String unavailable() {
      expect(503);
      assertTrue(whole.headers().firstValue("Retry-After").isPresent(), "no Retry-After");
      return json().get("detail").stringValue();
    }
  }

  /** The words that start one; as any other program of this machine they can be put behind more. */
  static List<String> command(List<String> before, String... options) {
    List<String> command = new ArrayList<>(before);
    command.add(ProcessHandle.current().info().command().orElse("java"));
    command.addAll(JavaOptions.ofServer());
    command.addAll(List.of("-XX:TieredStopAtLevel=1"));
    command.addAll(List.of("-cp", System.getProperty("java.class.path"), Main.class.getName()));
    command.add("serve");
    command.addAll(List.of(options));
    return command;
  }

  static Served start(Path data, String... options) throws IOException {
    return start(List.of(), Map.of(), data, options);
  }

  /**
   * Starts one, and returns when it listens.
   *
   * @param before what stands before its command, as {@code strace}
   * @param environment what is other than here
   * @param data its folder
   */
  static Served start(
      List<String> before, Map<String, String> environment, Path data, String... options)
      throws IOException {
    return begun(before, environment, data, options)
        .orElseThrow(() -> new AssertionError("it ended before it listened"));
  }

  /** The same of one that may end before it listens: then there is none. */
  static Optional<Served> begun(
      List<String> before, Map<String, String> environment, Path data, String... options)
      throws IOException {
    List<String> all = new ArrayList<>(List.of("--port=0", "--data=" + data));
    all.addAll(List.of(options));
    return begun(command(before, all.toArray(String[]::new)), environment, data);
  }

  /** The same by all words of a command, which serves that folder. */
  static Optional<Served> begun(List<String> command, Map<String, String> environment, Path data)
      throws IOException {
    Path errors = Files.createTempFile("served", ".txt");
    ProcessBuilder builder = new ProcessBuilder(command).redirectError(errors.toFile());
    builder.environment().putAll(environment);
    Process process = builder.start();
    BufferedReader out =
        new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
    String line = out.readLine();
    if (line == null) {
      System.err.println(text(errors));
      return Optional.empty();
    }
    String address = line.replaceAll(".* at (http://\\S+);.*", "$1");
    return Optional.of(new Served(process, errors, data, URI.create(address)));
  }

  private static String text(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      return e.toString();
    }
  }

  /** The server's own process, whatever stands before it. */
  long pid() throws IOException {
    return Long.parseLong(Files.readString(data.resolve(".lock")).strip());
  }

  String errors() {
    return text(errors);
  }

  URI address() {
    return address;
  }

  Answer get(String path) throws IOException, InterruptedException {
    return send(HttpRequest.newBuilder().GET(), path);
  }

  Answer post(String path, String body, String... headers)
      throws IOException, InterruptedException {
    HttpRequest.Builder request = HttpRequest.newBuilder().POST(BodyPublishers.ofString(body));
    if (!body.isEmpty()) {
      request.header("Content-Type", "application/json");
    }
    if (headers.length > 0) {
      request.headers(headers);
    }
    return send(request, path);
  }

  /** Submits under a key, once. */
  Answer submit(String specification, String key) throws IOException, InterruptedException {
    return post("/v1/jobs", specification, "Idempotency-Key", key);
  }

  private Answer send(HttpRequest.Builder request, String path)
      throws IOException, InterruptedException {
    HttpResponse<String> response =
        client.send(
            request.uri(address.resolve(path)).timeout(PATIENCE).build(), BodyHandlers.ofString());
    return new Answer(response.statusCode(), response.body(), response);
  }

  /** The ids of all jobs, each once. */
  List<String> jobs() throws IOException, InterruptedException {
    JsonNode page = get("/v1/jobs?limit=200").expect(200).json();
    return StreamSupport.stream(page.get("jobs").spliterator(), false)
        .map(job -> job.get("id").stringValue())
        .toList();
  }

  JsonNode job(String id) throws IOException, InterruptedException {
    return get("/v1/jobs/" + id).expect(200).json();
  }

  JsonNode await(String id, Predicate<JsonNode> until) throws IOException, InterruptedException {
    long end = System.nanoTime() + PATIENCE.toNanos();
    while (System.nanoTime() < end) {
      JsonNode job = job(id);
      if (until.test(job)) {
        return job;
      }
      Thread.sleep(50);
    }
    return fail("got " + job(id) + "\n" + errors());
  }

  JsonNode await(String id, String... states) throws IOException, InterruptedException {
    return await(id, job -> List.of(states).contains(job.get("state").stringValue()));
  }

  /** It answers all that reads, with these jobs and no others. */
  void assertReads(Iterable<String> accepted) throws IOException, InterruptedException {
    get("/healthz").expect(200);
    List<String> listed = jobs();
    for (String id : accepted) {
      assertTrue(listed.contains(id), () -> "lost " + id);
      assertEquals(id, job(id).get("id").stringValue());
      get("/v1/jobs/" + id + "/events").expect(200);
    }
  }

  void kill() throws IOException, InterruptedException {
    ProcessHandle.of(pid()).ifPresent(ProcessHandle::destroyForcibly);
    assertTrue(process.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS));
  }

  void terminate() throws IOException {
    assertTrue(ProcessHandle.of(pid()).orElseThrow().destroy());
  }

  /** Asks it to end, and says with which code it did. */
  int end() throws IOException, InterruptedException {
    terminate();
    assertTrue(process.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS), "it does not end");
    return process.exitValue();
  }

  @Override
  public void close() throws IOException, InterruptedException {
    if (process.isAlive()) {
      kill();
    }
    client.shutdownNow();
    Files.deleteIfExists(errors);
  }
}
