package dev.halfcell.rest.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.halfcell.rest.job.JobId;
import dev.halfcell.tensor.ArgumentException;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/** Who may do what, and what is refused whoever asks. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class SecurityTest {
  private static final String LENET = "{\"network\": {\"name\": \"lenet5\"}}";
  private static final String ANN = "ann-0123456789abcdef";
  private static final String BOB = "bob-0123456789abcdef";
  private static final String EYE = "eye-0123456789abcdef";
  private static final String ROOT = "root-0123456789abcdef";

  private TestServer server;
  private ContractClient client;

  @BeforeAll
  void start(@TempDir Path root) {
    Tokens tokens =
        Tokens.parse(
            "# people\nann read,submit %s\nbob read,submit %s\neye read %s\n\nroot admin %s\n"
                .formatted(ANN, BOB, EYE, ROOT));
    server = TestServer.start(root, TestServer.http(), tokens);
    client = server.client();
  }

  @AfterAll
  void stop() {
    server.close();
  }

  private static String[] as(String token) {
    return new String[] {"Authorization", "Bearer " + token};
  }

  private static String filled(String path) {
    return path.replace("{id}", "0".repeat(32))
        .replace("{comparison}", "0".repeat(32))
        .replace("{name}", "model.safetensors")
        .replace("{network}", "lenet5")
        .replace("{file}", "app.js");
  }

  @Test
  @Row({"P32", "P60", "P62"})
  void noOperationIsThereWithoutItsToken() {
    List<Operation> operations = ApiDocument.load().operations();
    Set<String> open = Set.of("health", "readiness", "dashboard", "dashboardAsset");
    for (Operation operation : operations) {
      assertEquals(open.contains(operation.id()), operation.scope().isEmpty(), operation.id());
      if (open.contains(operation.id())) {
        continue;
      }
      String path = filled(operation.path());
      String body = operation.body().isPresent() ? "{}" : "";
      assertEquals(401, client.send(operation.method(), path, body).status(), operation.id());
      for (String wrong :
          List.of(
              "Bearer " + ANN + "x",
              "Bearer ",
              "Bearer",
              "Basic " + ANN,
              "Bearer\u0009" + ANN,
              ANN,
              "Bearer " + "x".repeat(6000),
              "Bearer tok\u00e9n")) {
        assertEquals(
            401,
            client.send(operation.method(), path, body, "Authorization", wrong).status(),
            operation.id());
      }
      assertEquals(
          401,
          client
              .send(
                  operation.method(),
                  path,
                  body,
                  "Authorization",
                  "Bearer " + ANN,
                  "Authorization",
                  "Bearer " + BOB)
              .status());
    }
    client.get("/v1/jobs?token=" + ANN).expect(401);
  }

  @Test
  void aTokenDoesWhatItsScopesSay() {
    for (Operation operation : ApiDocument.load().operations()) {
      String path = filled(operation.path());
      String body = operation.body().isPresent() ? "{}" : "";
      int read = client.send(operation.method(), path, body, as(EYE)).status();
      boolean readable = operation.scope().filter(scope -> !scope.equals("read")).isEmpty();
      assertEquals(!readable, read == 403, operation.id() + " " + read);
      int admin = client.send(operation.method(), path, body, as(ROOT)).status();
      assertTrue(admin != 403 && admin != 401, operation.id());
    }
  }

  @Test
  @Row("P26")
  void jobsOfOthersAreNotThere() {
    JobId job =
        new JobId(
            client.post("/v1/jobs", LENET, as(ANN)).expect(202).json().get("id").stringValue());
    String path = "/v1/jobs/" + job;
    assertEquals("ann", client.get(path, as(ANN)).expect(200).json().get("owner").stringValue());
    String foreign = untraced(client.get(path, as(BOB)).expect(404));
    String unknown = untraced(client.get("/v1/jobs/" + "0".repeat(32), as(BOB)).expect(404));
    assertEquals(unknown.replace("0".repeat(32), job.text()), foreign);
    for (String each : List.of("x", "0", "A".repeat(32), "0".repeat(33), "0".repeat(2000))) {
      client.get("/v1/jobs/" + each, as(BOB)).expect(404);
    }
    client.post(path + "/cancel", "", as(BOB)).expect(404);
    client.send("DELETE", path, "", as(BOB)).expect(404);
    assertEquals(0, client.get("/v1/jobs", as(BOB)).expect(200).json().get("jobs").size());
    assertTrue(client.get("/v1/jobs", as(ROOT)).expect(200).json().get("jobs").size() > 0);
    client.get(path, as(ROOT)).expect(200);
  }

  /** Each request has a trace of its own. */
  private static String untraced(ContractClient.Reply reply) {
    return reply.text().replaceFirst("\"traceId\":\"[0-9a-f]{32}\"", "");
  }

  @Tag("CVE-2026-27482")
  @Test
  @Row({"P35", "P36"})
  void pagesFromElsewhereReachNothing() {
    for (String origin : List.of("http://evil.example", "null", "http://localhost:1", "")) {
      for (String method : List.of("POST", "DELETE", "PATCH", "GET", "OPTIONS")) {
        int status =
            client
                .send(
                    method,
                    "/v1/jobs",
                    "",
                    "Authorization",
                    "Bearer " + ANN,
                    "Origin",
                    origin,
                    "Access-Control-Request-Method",
                    "POST")
                .status();
        assertEquals(403, status, origin + " " + method);
      }
    }
    String own = "http://127.0.0.1:" + server.port();
    client.get("/v1/jobs", "Authorization", "Bearer " + ANN, "Origin", own).expect(200);
  }

  @Test
  @Row({"P22", "P27", "P62"})
  void otherMethodsAreRefusedWithThoseThereAre() {
    for (Operation operation : ApiDocument.load().operations()) {
      for (String method : List.of("PUT", "OPTIONS", "TRACE")) {
        ContractClient.Reply refused =
            client.send(method, filled(operation.path()), "", "X-HTTP-Method-Override", "GET");
        assertEquals(405, refused.status());
        assertTrue(refused.header("Allow").contains(operation.method()));
      }
    }
    client.send("PROPFIND", "/v1/jobs", "").expect(501);
    client.send("GETX", "/v1/jobs", "").expect(501);
    client.send("get", "/v1/jobs", "").expect(501);
    client.get("/nothing", as(ANN)).expect(404);
    for (String odd : List.of("//v1/jobs", "/v1/jobs/", "/v1//jobs", "/v1/./jobs", "/V1/jobs")) {
      client.get(odd, as(ANN)).expect(404);
    }
  }

  @Test
  @Row({"P1", "P28", "P29", "P37"})
  void onlyJsonAsItIsCanBeSent() {
    for (String type :
        List.of(
            "text/plain",
            "application/x-www-form-urlencoded",
            "multipart/form-data; boundary=x",
            "application/json; charset=utf-16",
            "application/x-java-serialized-object",
            "json")) {
      client
          .post("/v1/jobs", LENET, "Authorization", "Bearer " + ANN, "Content-Type", type)
          .expect(415);
    }
    for (String encoding : List.of("gzip", "br", "gzip, gzip")) {
      client
          .post(
              "/v1/jobs",
              LENET,
              "Authorization",
              "Bearer " + ANN,
              "Content-Type",
              "application/json",
              "Content-Encoding",
              encoding)
          .expect(415);
    }
    client.post("/v1/jobs", "", as(ANN)).expect(400);
    String[] accepted = {
      "Authorization", "Bearer " + ANN, "Content-Type", "Application/JSON; Charset=UTF-8"
    };
    client.post("/v1/jobs?dryRun=true", LENET, accepted).expect(200);
  }

  @Test
  @Row("P30")
  void anAnswerHasAFormThatIsWanted() {
    for (String accept : List.of("text/html", "*/*;q=0", "garbage", "x".repeat(2000), ",,;;")) {
      client.get("/v1/version", "Authorization", "Bearer " + ANN, "Accept", accept).expect(406);
    }
    for (String accept : List.of("*/*", "application/*;q=0.1", "text/html, application/json", "")) {
      client.get("/v1/version", "Authorization", "Bearer " + ANN, "Accept", accept).expect(200);
    }
  }

  @Test
  @Row("P54")
  void thereIsNoPlaceToUploadTo() {
    for (Operation operation : ApiDocument.load().operations()) {
      assertTrue(!operation.method().equals("PUT"), operation.id());
    }
  }

  @Tag("CVE-2023-48022")
  @Test
  @Row("P33")
  void noServerIsOpenToOthersWithoutAToken(@TempDir Path other) {
    HttpServerSettings http = HttpServerSettings.defaults().at("0.0.0.0", 0);
    assertThrows(
        ArgumentException.class, () -> TestServer.start(other, http, Tokens.none()).close());
  }

  @Test
  @Row("P33")
  void aTokenFileThatIsNoneIsRefused() {
    for (String text :
        List.of(
            "",
            "# none",
            "ann read",
            "ann read short",
            "ann all " + ANN,
            "ann  " + ANN,
            "ann read " + ANN + "\nbob read " + ANN)) {
      ArgumentException refused =
          assertThrows(ArgumentException.class, () -> Tokens.parse(text), text);
      assertTrue(!String.valueOf(refused.getMessage()).contains(ANN));
    }
  }
}
