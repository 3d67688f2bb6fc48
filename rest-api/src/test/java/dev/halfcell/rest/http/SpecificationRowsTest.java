package dev.halfcell.rest.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

/** Specifications that make no sense are refused when they are sent, and none becomes a job. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class SpecificationRowsTest {
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

  @AfterEach
  void nothingWasTaken() {
    assertEquals(0, server.store().counts().values().stream().mapToLong(Long::longValue).sum());
  }

  private static String lenet(String more) {
    return "{\"network\":{\"name\":\"lenet5\"}," + more + "}";
  }

  /** Refused with a pointer to where the mistake is. */
  private void assertInvalid(String pointer, String body) {
    JsonNode problem = client.post("/v1/jobs", body).expect(422).json();
    List<String> pointers =
        problem.path("errors").valueStream().map(e -> e.get("pointer").stringValue()).toList();
    assertTrue(pointers.stream().anyMatch(each -> each.startsWith(pointer)), () -> body + problem);
  }

  @ParameterizedTest
  @Row("P1")
  @ValueSource(strings = {"null", "[]", "\"x\"", "1", "{}", "true"})
  void jsonThatIsNoObjectIsToldSo(String body) {
    assertInvalid("", body);
  }

  @Test
  @Row("P5")
  void depthIsRefusedAtOnce() {
    for (String opening : List.of("[", "{\"a\":")) {
      String deep = opening.repeat(Math.min(100_000, 256 * 1024 / opening.length()));
      client.post("/v1/jobs", deep).expect(400);
      long began = System.nanoTime();
      client.post("/v1/jobs", deep).expect(400);
      long milliseconds = (System.nanoTime() - began) / 1_000_000;
      assertTrue(milliseconds < 1_000, milliseconds + " ms");
    }
  }

  @ParameterizedTest
  @Row("P9")
  @ValueSource(strings = {"\"NaN\"", "-0.1", "0", "1e39", "\"0.1\"", "null", "[0.1]"})
  void aLearningRateIsANumberAboveZero(String rate) {
    assertInvalid(
        "/training/optimizer",
        lenet("\"training\":{\"optimizer\":{\"learningRate\":" + rate + "}}"));
  }

  @ParameterizedTest
  @Row("P9")
  @ValueSource(strings = {"0", "-1", "1000000000", "65537", "1.5", "\"64\"", "1e2000"})
  void aBatchIsACountOfSamples(String size) {
    String body = lenet("\"training\":{\"batchSize\":" + size + "}");
    if (size.equals("1e2000")) {
      client.post("/v1/jobs", body).expect(400);
    } else {
      assertInvalid("/training/batchSize", body);
    }
  }

  @ParameterizedTest
  @Row("P11")
  @ValueSource(
      strings = {
        "lenet6",
        "",
        "LENET5",
        "../lenet5",
        "lenet5\\u0000",
        "file:///etc/passwd",
        "http://169.254.169.254/"
      })
  void networksAndOptimizersAreNamesOfTheirLists(String name) {
    assertInvalid("/network", "{\"network\":{\"name\":\"" + name + "\"}}");
    assertInvalid(
        "/training/optimizer", lenet("\"training\":{\"optimizer\":{\"name\":\"" + name + "\"}}"));
    assertInvalid("/dataset", lenet("\"dataset\":{\"name\":\"" + name + "\"}"));
  }

  @ParameterizedTest
  @Row("P12")
  @ValueSource(
      strings = {
        "id",
        "state",
        "owner",
        "createdAt",
        "attempt",
        "estimatedBytes",
        "__proto__",
        "constructor",
        "class",
        "@type",
        "network.name",
        "Network",
        ""
      })
  void nobodyGivesWhatTheServerGives(String key) {
    assertInvalid("/", lenet("\"" + key + "\":\"SUCCEEDED\""));
    assertInvalid("/", lenet("\"training\":{\"" + key + "\":1}"));
  }

  @ParameterizedTest
  @Row("P13")
  @ValueSource(
      strings = {"", "   ", "a\\r\\n2026-01-01 INFO forged", "\\u001b[31m", "\\u0000", "\\u0085"})
  void aNameIsOneLineOfText(String name) {
    assertInvalid("/name", lenet("\"name\":\"" + name + "\""));
    assertInvalid("/labels", lenet("\"labels\":{\"a\":\"\\u0007" + name + "\"}"));
  }

  @Test
  @Row("P13")
  void aNameHasAtMost128CharactersWhenItIsComposed() {
    assertInvalid("/name", lenet("\"name\":\"" + "a".repeat(129) + "\""));
    assertInvalid("/name", lenet("\"name\":\"" + "\ufb2c".repeat(60) + "\""));
    client.post("/v1/jobs", lenet("\"name\":\"" + "a".repeat(1 << 20) + "\"")).expect(413);
    client
        .post("/v1/jobs?dryRun=true", lenet("\"name\":\"e" + "\u0301".repeat(64) + "\""))
        .expect(200);
  }

  private static String cells(String cells) {
    return "{\"dataset\":{\"name\":\"fashion-mnist\"},\"network\":[" + cells + "]}";
  }

  @Test
  @Row("P15")
  void aNetworkHasCellsAndNotTooMany() {
    assertInvalid("/network", cells(""));
    assertInvalid("/network", cells(String.join(",", Collections.nCopies(257, "\"ReLU\""))));
    assertTrue(
        List.of(400, 413)
            .contains(
                client
                    .post(
                        "/v1/jobs",
                        cells(String.join(",", Collections.nCopies(100_000, "\"ReLU\""))))
                    .status()));
  }

  @ParameterizedTest
  @Row("P15")
  @ValueSource(
      strings = {
        "{\"cell\":\"Dense\",\"inChannels\":1024,\"outChannels\":2147483648}",
        "{\"cell\":\"Dense\",\"inChannels\":1024,\"outChannels\":-1}",
        "{\"cell\":\"Dense\",\"inChannels\":1024,\"outChannels\":0}",
        "{\"cell\":\"Conv2d\",\"inChannels\":1,\"outChannels\":1000000,\"kernelSize\":-3}",
        "{\"cell\":\"Conv2d\",\"inChannels\":1,\"outChannels\":9999999,\"kernelSize\":3}"
      })
  void aCellHasSizesThatThereAre(String cell) {
    assertInvalid("/network", cells("\"Flatten\"," + cell));
  }

  @Test
  @Row("P15")
  void aNetworkThatIsTooLargeIsRefusedAtOnceWithItsFigures() {
    String wide =
        cells(
            "\"Flatten\",{\"cell\":\"Dense\",\"inChannels\":1024,\"outChannels\":1000000},"
                + "{\"cell\":\"Dense\",\"inChannels\":1000000,\"outChannels\":10}");
    String detail = client.post("/v1/jobs", wide).expect(422).json().get("detail").stringValue();
    assertTrue(detail.contains("GiB"), detail);
    long began = System.nanoTime();
    client.post("/v1/jobs", wide).expect(422);
    long milliseconds = (System.nanoTime() - began) / 1_000_000;
    assertTrue(milliseconds < 1_000, milliseconds + " ms");
  }

  @ParameterizedTest
  @Row("P17")
  @ValueSource(
      strings = {
        "{\"cell\":\"Conv2d\",\"inChannels\":1,\"outChannels\":2,\"kernelSize\":33},\"Flatten\"",
        "{\"cell\":\"Conv2d\",\"inChannels\":3,\"outChannels\":2,\"kernelSize\":3},\"Flatten\"",
        "\"Flatten\",{\"cell\":\"Dense\",\"inChannels\":1025,\"outChannels\":10}",
        "\"Flatten\",{\"cell\":\"Dense\",\"inChannels\":1024,\"outChannels\":9}",
        "{\"cell\":\"MaxPool2d\",\"kernelSize\":64,\"stride\":1},\"Flatten\"",
        "\"Flatten\",{\"cell\":\"BatchNorm2d\",\"numFeatures\":1}"
      })
  void partsThatDoNotFitTogetherAreRefusedWhenTheyAreSent(String cells) {
    JsonNode problem = client.post("/v1/jobs", cells(cells)).expect(422).json();
    assertFalse(problem.get("detail").stringValue().isBlank());
  }

  @Test
  @Row("P17")
  void keysThatExcludeEachOtherAreRefused() {
    assertInvalid("/", lenet("\"training\":{\"epochs\":1,\"steps\":1}"));
  }

  @Test
  @Row("P51")
  void aQuerySaysEachThingOnce() {
    for (String query :
        List.of(
            "limit=1&limit=1000",
            "limit[]=1",
            "limit=1;sort=newest",
            "limit=1&Limit=1",
            "limit=1&limit",
            "x=1&".repeat(1_000) + "limit=1")) {
      client.get("/v1/jobs?" + query).expect(422);
    }
  }
}
