package dev.halfcell.rest.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.halfcell.rest.job.JobId;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * The items of OWASP's Application Security Verification Standard 5.0 that bear on this service,
 * levels 1 and 2, each with a test that holds it; those that had none are here.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class AsvsTest {
  private static final String LENET = "{\"network\": {\"name\": \"lenet5\"}}";
  private static final String REST = "rest-api/src/test/java/dev/halfcell/rest/";

  private TestServer server;
  private ContractClient client;

  @BeforeAll
  void start(@TempDir Path root) {
    server = TestServer.start(root);
    client = server.client();
  }

  @AfterAll
  void stop() {
    server.close();
  }

  @ParameterizedTest(name = "{0} {1}")
  @CsvSource({
    "1.2.1, output is encoded for where it goes, http/SubmitTest, namesAreTextAndNothingElse",
    "1.4.2, whole numbers do not overflow, http/SubmitTest,"
        + " nothingIsTakenForANumberOfEpochsThatIsNone",
    "1.4.3, what is taken is given back, ops-cpu/src/test/java/dev/halfcell/cpu/LeakTest,"
        + " everythingIsGivenBackAfterStepsOfEachKind",
    "1.5.2, only listed messages are read, worker/MessagesTest, anythingElseIsRefused",
    "2.1.3, limits are documented, http/AsvsTest, limitsAreDocumented",
    "2.2.1, input is what is listed, http/SubmitTest, everyMistakeIsToldWithItsPointer",
    "2.2.2, the server checks, http/SubmitTest, jsonThatIsNoSpecificationIsRefused",
    "2.2.3, values fit each other, http/SubmitTest, whatNeedsTooMuchMemoryIsRefusedWithFigures",
    "2.3.3, all or nothing, service/ComparisonsTest,"
        + " whereTheQueueIsFullAfterSomeOfItsJobsNothingIsLeftOfIt",
    "2.4.1, no faster than is good for others, http/AsvsTest, whoSubmitsTooFastIsSlowedDown",
    "3.4.2, no other origin reads, http/SecurityTest, pagesFromElsewhereReachNothing",
    "3.4.3, a content security policy, http/AsvsTest, everyAnswerIsGuarded",
    "3.4.4, nosniff, http/AsvsTest, everyAnswerIsGuarded",
    "3.4.5, no referrer, http/AsvsTest, everyAnswerIsGuarded",
    "3.4.6, in no frame, http/AsvsTest, everyAnswerIsGuarded",
    "3.5.1, no request from elsewhere, http/SecurityTest, pagesFromElsewhereReachNothing",
    "3.5.2, no request without preflight, http/SecurityTest, onlyJsonAsItIsCanBeSent",
    "3.5.3, safe methods change nothing, http/AsvsTest, safeMethodsChangeNothing",
    "4.1.1, Content-Type with its charset, http/AsvsTest, everyAnswerIsGuarded",
    "4.1.3, no forwarded header is believed, http/AsvsTest, noForwardedHeaderIsBelieved",
    "4.2.1, framing is not ambiguous, http/RawHttpTest,"
        + " framingThatTwoReadersTakeDifferentlyIsRefused",
    "4.4.2, no WebSocket, http/RawHttpTest, nothingIsUpgraded",
    "5.1.1, nothing is uploaded, http/SecurityTest, thereIsNoPlaceToUploadTo",
    "5.2.1, bodies are bounded, http/RawHttpTest, bodiesAreBounded",
    "5.2.3, nothing is unpacked, http/SecurityTest, onlyJsonAsItIsCanBeSent",
    "5.2.4, stored bytes are bounded, service/QuotasTest,"
        + " filesOfJobsHaveABoundOfTheirOwnerAndOneOfAll",
    "5.3.2, no path of a request, http/FilesTest, artifactsAreAClosedListOfNames",
    "5.4.1, names of files are ours, http/FilesTest, anArtifactComesWholeOrInParts",
    "13.4.2, nothing of a debugger, http/AsvsTest, nothingTellsOfTheInside",
    "13.4.3, no listing of folders, http/RawHttpTest, noDetourLeadsAnywhere",
    "13.4.4, no TRACE, http/SecurityTest, otherMethodsAreRefusedWithThoseThereAre",
    "13.4.5, pages for operators ask for a token, http/SecurityTest,"
        + " noOperationIsThereWithoutItsToken",
    "15.1.3, long work is queued, http/SubmitTest, aFullQueueSaysSoAndWhen",
    "15.2.2, long answers are bounded, http/EventsTest,"
        + " oneStreamTooManyIsRefusedAndAClosedOneMakesRoom",
    "15.3.3, nothing is set that is ours, http/AsvsTest, nothingOfTheServersOwnIsTakenOver",
    "15.3.5, types are strict, http/SubmitTest, nothingIsTakenForANumberOfEpochsThatIsNone",
    "15.3.7, no parameter twice, http/LifecycleTest, listsArePagedAndFiltered",
    "16.2.5, no secrets in logs, http/AccessLogTest,"
        + " eachRequestIsALineAndNothingOfItIsItsSendersOwn",
    "16.4.1, no forged line in a log, supervisor/WorkerLogTest,"
        + " nothingOfItObeysATerminalOrForgesALine",
    "16.5.1, what clients are told, http/SubmitTest, aBrokenStoreIsNoDefectAndHealsByItself",
    "16.5.3, closed where in doubt, http/SecurityTest, noServerIsOpenToOthersWithoutAToken"
  })
  void itemsHaveTheirTests(String item, String what, String file, String method)
      throws IOException {
    String path = (file.contains("/src/") ? file : REST + file) + ".java";
    String source = Files.readString(Path.of(System.getProperty("halfcell.root")).resolve(path));
    int at = source.indexOf("void " + method + "(");
    assertTrue(at > 0, () -> item + " " + what + ": no " + method);
    String annotations = source.substring(source.lastIndexOf("\n\n", at), at);
    assertTrue(
        annotations.contains("@Test") || annotations.contains("@ParameterizedTest"),
        () -> item + " " + what + ": no test is " + method);
  }

  @Test
  void limitsAreDocumented() throws IOException {
    HttpServerSettings.Limits limits = HttpServerSettings.defaults().limits();
    HttpServerSettings.Deadlines deadlines = HttpServerSettings.defaults().deadlines();
    String page =
        Files.readString(Path.of(System.getProperty("halfcell.root")).resolve("docs/http.md"));
    Map.ofEntries(
            Map.entry("connections at once", "%,d".formatted(limits.connections())),
            Map.entry("streams at once", "%,d".formatted(limits.streams())),
            Map.entry("body of a request", limits.bodyBytes() / 1024 + " KiB"),
            Map.entry("bytes that wait for a reader", limits.streamBytes() / (1 << 20) + " MiB"),
            Map.entry(
                "submissions of an owner", "%.0f a second".formatted(limits.submitsPerSecond())),
            Map.entry("head of a request", deadlines.head().toSeconds() + " s"),
            Map.entry("body of a request, its time", deadlines.body().toSeconds() + " s"),
            Map.entry("idle connection", deadlines.idle().toSeconds() + " s"),
            Map.entry("first line of a request", "%,d bytes".formatted(ServerOptions.LINE)),
            Map.entry(
                "first line of a request; its headers", "%,d bytes".formatted(ServerOptions.BYTES)),
            Map.entry("depth of a JSON body", " " + StrictJson.DEPTH + ";"),
            Map.entry("depth of a JSON body; its tokens", "%,d".formatted(StrictJson.USUAL_TOKENS)),
            Map.entry("depth of a JSON body; its tokens; a text", StrictJson.TEXT / 1024 + " KiB"))
        .forEach(
            (what, figure) ->
                assertTrue(
                    page.lines()
                        .anyMatch(line -> line.startsWith("| " + what) && line.contains(figure)),
                    () -> what + " of " + figure + " is not in docs/http.md"));
  }

  @Test
  void everyAnswerIsGuarded() {
    JobId job = server.submit();
    for (Operation operation : ApiDocument.load().operations()) {
      if (!operation.method().equals("GET")) {
        continue;
      }
      String path = path(operation, job);
      guarded(client.get(path), operation.id());
      guarded(client.get(path + "?nothing=1"), operation.id());
      guarded(client.get(path, "Accept", "image/gif"), operation.id());
      guarded(client.get(path, "Origin", "http://evil.example"), operation.id());
    }
    guarded(client.get("/nothing"), "none");
  }

  private static String path(Operation operation, JobId job) {
    return operation
        .path()
        .replace("{id}", job.text())
        .replace("{comparison}", job.text())
        .replace("{name}", "model.safetensors")
        .replace("{network}", "lenet5")
        .replace("{file}", "app.js");
  }

  private static void guarded(ContractClient.Reply reply, String operation) {
    String policy = reply.header("Content-Security-Policy");
    assertTrue(policy.startsWith("default-src '"), operation);
    assertTrue(policy.contains("frame-ancestors 'none'"), operation);
    assertEquals("nosniff", reply.header("X-Content-Type-Options"), operation);
    assertEquals("no-referrer", reply.header("Referrer-Policy"), operation);
    assertEquals("DENY", reply.header("X-Frame-Options"), operation);
    String type = reply.header("Content-Type");
    assertTrue(reply.response().body().length == 0 || !type.isEmpty(), operation);
    assertTrue(!type.startsWith("text/") || type.endsWith("; charset=utf-8"), operation + type);
  }

  /**
   * A browser takes the policy of its copy from that answer: with another one nothing would run.
   */
  @Test
  void aPageThatIsStillTheSameKeepsItsPolicy() {
    String policy = "Content-Security-Policy";
    ContractClient.Reply page = client.get("/").expect(200);
    ContractClient.Reply same = client.get("/", "If-None-Match", page.header("ETag")).expect(304);
    assertEquals(page.header(policy), same.header(policy));
  }

  @Test
  void safeMethodsChangeNothing() throws IOException {
    JobId job = server.submit();
    String before = client.get("/v1/jobs/" + job).text();
    long jobs = all();
    List<String> told = List.copyOf(server.workers().told());
    for (Operation operation : ApiDocument.load().operations()) {
      for (String method : List.of("GET", "HEAD", "OPTIONS")) {
        if (!operation.id().equals("followJob")) {
          client.send(method, path(operation, job), "");
        }
      }
    }
    assertEquals(before, client.get("/v1/jobs/" + job).text());
    assertEquals(jobs, all());
    assertEquals(told, server.workers().told());
    try (Stream<Path> files = Files.walk(server.folders().root())) {
      assertTrue(files.noneMatch(file -> file.toString().contains(job.text())));
    }
  }

  private long all() {
    return server.store().counts().values().stream().mapToLong(Long::longValue).sum();
  }

  @Test
  void whoSubmitsTooFastIsSlowedDown(@TempDir Path root) {
    HttpServerSettings http = TestServer.http();
    HttpServerSettings.Limits limits = http.limits();
    HttpServerSettings slow =
        http.with(
            new HttpServerSettings.Limits(
                limits.connections(),
                limits.streams(),
                limits.bodyBytes(),
                limits.streamBytes(),
                0.001,
                2));
    try (TestServer other = TestServer.start(root, slow, Tokens.none())) {
      other.client().post("/v1/jobs", LENET).expect(202);
      other.client().post("/v1/jobs", LENET).expect(202);
      ContractClient.Reply refused = other.client().post("/v1/jobs", LENET).expect(429);
      assertTrue(Integer.parseInt(refused.header("Retry-After")) > 0);
      other.client().get("/v1/jobs").expect(200);
    }
  }

  @Test
  void noForwardedHeaderIsBelieved() {
    for (String header :
        List.of(
            "X-Forwarded-Host", "X-Forwarded-For", "X-Real-IP", "Forwarded", "X-Original-URL")) {
      client.get("/v1/version", header, "evil.example").expect(200);
      client.get("/v1/version", header, "127.0.0.1", "Origin", "http://evil.example").expect(403);
    }
    ContractClient.Reply made =
        client.post("/v1/jobs", LENET, "X-Forwarded-Host", "evil.example").expect(202);
    assertTrue(made.header("Location").startsWith("/v1/jobs/"));
  }

  @Test
  void nothingTellsOfTheInside() {
    for (String path : List.of("/healthz", "/nothing", "/v1/jobs", "/")) {
      ContractClient.Reply reply = client.get(path);
      for (String name : List.of("Server", "X-Powered-By", "Via", "X-Debug")) {
        assertEquals("", reply.header(name), path);
      }
    }
    for (String path : List.of("/debug", "/actuator", "/heapdump", "/threads", "/.git/config")) {
      client.get(path).expect(404);
    }
  }

  @Test
  void nothingOfTheServersOwnIsTakenOver() {
    for (String field :
        List.of(
            "id",
            "state",
            "owner",
            "createdAt",
            "revision",
            "expiresAt",
            "traceId",
            "__proto__",
            "class",
            "@type",
            "estimatedBytes")) {
      String body = "{\"network\":{\"name\":\"lenet5\"},\"" + field + "\":\"SUCCEEDED\"}";
      client.post("/v1/jobs", body).expect(422);
    }
    JobId job = server.submit();
    for (String field : List.of("owner", "state", "id", "attempt")) {
      String body = "{\"" + field + "\":\"x\"}";
      client.send("PATCH", "/v1/jobs/" + job, body).expect(422);
    }
  }
}
