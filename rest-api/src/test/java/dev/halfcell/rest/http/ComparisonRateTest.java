package dev.halfcell.rest.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A comparison counts as all of its jobs where an owner submits faster than is good for others. */
final class ComparisonRateTest {
  private static final String LENET = "{\"network\":{\"name\":\"lenet5\"}}";

  /** Nothing that a test waits for comes back. */
  private static final double PER_SECOND = 1e-6;

  @TempDir private Path root;

  private TestServer server(double atOnce) {
    HttpServerSettings http = TestServer.http();
    HttpServerSettings.Limits usual = http.limits();
    return TestServer.start(
        root,
        http.with(
            new HttpServerSettings.Limits(
                usual.connections(),
                usual.streams(),
                usual.bodyBytes(),
                usual.streamBytes(),
                PER_SECOND,
                atOnce)),
        Tokens.none());
  }

  private static String comparison(String levels, String seeds) {
    return "{\"specification\":" + LENET + ",\"levels\":" + levels + seeds + "}";
  }

  private static long all(TestServer server) {
    return server.store().counts().values().stream().mapToLong(Long::longValue).sum();
  }

  @Test
  void aComparisonTakesAsMuchAsItMakesJobsOrNothing() {
    try (TestServer server = server(6)) {
      ContractClient client = server.client();
      client.post("/v1/comparisons", comparison("[\"O0\",\"O2\"]", ",\"seeds\":[1,2]")).expect(202);
      ContractClient.Reply refused =
          client.post("/v1/comparisons", comparison("[\"O0\",\"O1\",\"O2\"]", "")).expect(429);
      String detail = refused.json().get("detail").stringValue();
      assertTrue(detail.contains("makes 3 jobs"), detail);
      assertTrue(detail.contains("2 of yours may be submitted now"), detail);
      assertTrue(detail.contains("6 at once"), detail);
      assertEquals("1", refused.header("Retry-After"));
      assertEquals(4, all(server));
      client.post("/v1/comparisons", comparison("[\"O0\"]", "")).expect(202);
      client.post("/v1/jobs", LENET).expect(202);
      client.post("/v1/jobs", LENET).expect(429);
      client.post("/v1/comparisons", comparison("[\"O0\"]", "")).expect(429);
      assertEquals(6, all(server));
    }
  }

  @Test
  void oneThatIsLargerThanWhatThereIsAtOnceTakesAllOfIt() {
    try (TestServer server = server(3)) {
      String larger = comparison("[\"O0\",\"O2\"]", ",\"seeds\":[1,2]");
      server.client().post("/v1/comparisons", larger).expect(202);
      assertEquals(4, all(server));
      server.client().post("/v1/jobs", LENET).expect(429);
    }
  }

  /** Or a flood of them would keep the server reading. */
  @Test
  void oneThatMakesNoSenseTakesOne() {
    try (TestServer server = server(2)) {
      server.client().post("/v1/comparisons", comparison("[\"O9\"]", "")).expect(422);
      server.client().post("/v1/jobs", LENET).expect(202);
      server.client().post("/v1/jobs", LENET).expect(429);
    }
  }
}
