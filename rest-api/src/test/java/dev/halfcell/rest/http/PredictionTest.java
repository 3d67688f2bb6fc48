package dev.halfcell.rest.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.halfcell.rest.client.ClientSettings;
import dev.halfcell.rest.client.HalfCellClient;
import dev.halfcell.rest.client.PredictionRequest;
import dev.halfcell.rest.client.PredictionResult;
import dev.halfcell.rest.client.ProblemException;
import dev.halfcell.rest.job.JobId;
import dev.halfcell.rest.worker.FromWorker.Predicted;
import dev.halfcell.rest.worker.ToWorker.Predict;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import tools.jackson.databind.JsonNode;

/** What is asked of models and answered, where no model runs. */
@Timeout(60)
class PredictionTest extends Predicting {
  @Test
  void aModelSaysWhatItMakesOfEachSample() throws IOException {
    JobId job = trained();
    String two = "[" + IMAGE + "," + row(28, row(28, "7")) + "]";
    JsonNode said =
        server.client().post(PATH, body(job, two, ", \"pixels\": true")).expect(200).json();
    assertEquals(job.text(), said.get("job").stringValue());
    assertEquals("lenet5", said.get("network").stringValue());
    assertEquals("O2", said.get("level").stringValue());
    assertEquals(
        server.client().get("/v1/jobs/" + job + "/artifacts").json().at("/artifacts/0/sha256"),
        said.get("modelSha256"));
    assertEquals(2, said.get("predictions").size());
    assertEquals(0.1 + 0.2, said.at("/predictions/1/logits/0").doubleValue());
    assertEquals(0.75, said.at("/predictions/1/probabilities/0").doubleValue());
    assertEquals("Boot", said.at("/predictions/1/classes/0/name").stringValue());
    Predict what = asked.remove();
    assertEquals(List.of(2, 1, 28, 28), what.sizes());
    assertEquals(2 * 28 * 28, what.numbers().size());
    assertEquals(7f, what.numbers().getLast());
    assertTrue(what.pixels());
    assertEquals(3, what.top());
    assertEquals(Optional.empty(), what.specification());
    assertEquals(server.folders().run(job).toAbsolutePath().toString(), what.run());
  }

  @Test
  void aSampleMayHaveTheNetworksOwnForm() throws IOException {
    JobId job = trained();
    String own = "[[" + row(32, row(32, "0.5")) + "]]";
    server.client().post(PATH, body(job, own, ", \"top\": 10")).expect(200);
    assertEquals(List.of(1, 1, 32, 32), asked.element().sizes());
    assertEquals(10, asked.remove().top());
    server.client().post(PATH, body(job, "[" + row(32, row(32, "1e-3")) + "]", "")).expect(200);
    assertEquals(List.of(1, 1, 32, 32), asked.remove().sizes());
  }

  @Test
  void anotherLevelIsAnotherSpecification() throws IOException {
    JobId job = trained();
    String inputs = "[" + IMAGE + "]";
    server.client().post(PATH, body(job, inputs, ", \"level\": \"O2\"")).expect(200);
    assertEquals(Optional.empty(), asked.remove().specification());
    server.client().post(PATH, body(job, inputs, ", \"level\": \"O0\"")).expect(200);
    JsonNode precision = Json.read(asked.remove().specification().orElseThrow()).get("precision");
    assertEquals("O0", precision.get("level").stringValue());
    server.client().post(PATH, body(job, inputs, ", \"half\": \"fp16\"")).expect(200);
    server.client().post(PATH, body(job, inputs, ", \"half\": \"fp32\"")).expect(422);
    server.client().post(PATH, body(job, inputs, ", \"level\": \"O9\"")).expect(422);
  }

  @Test
  void noMoreThanTwoAreMadeAtATime() throws Exception {
    JobId job = trained();
    CountDownLatch go = new CountDownLatch(1);
    server
        .workers()
        .perform(
            (_, what, _, _) -> {
              Predicted said = answer((Predict) what);
              await(go);
              return said;
            });
    String asking = body(job, "[" + IMAGE + "]", "");
    try (ExecutorService two = Executors.newVirtualThreadPerTaskExecutor()) {
      List<Future<ContractClient.Reply>> coming =
          List.of(
              two.submit(() -> server.client().post(PATH, asking)),
              two.submit(() -> server.client().post(PATH, asking)));
      asked.take();
      asked.take();
      ContractClient.Reply third = server.client().post(PATH, asking).expect(503);
      assertFalse(third.header("Retry-After").isEmpty());
      go.countDown();
      for (Future<ContractClient.Reply> each : coming) {
        each.get().expect(200);
      }
    }
    server.client().post(PATH, asking).expect(200);
  }

  private static void await(CountDownLatch latch) {
    try {
      assertTrue(latch.await(30, TimeUnit.SECONDS));
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void whoGoesAwayEndsIt() throws Exception {
    JobId job = trained();
    CountDownLatch began = new CountDownLatch(1);
    CountDownLatch left = new CountDownLatch(1);
    server
        .workers()
        .perform(
            (_, what, _, gone) -> {
              gone.thenRun(left::countDown);
              began.countDown();
              await(left);
              return answer((Predict) what);
            });
    byte[] body = body(job, "[" + IMAGE + "]", "").getBytes(StandardCharsets.UTF_8);
    String head =
        "POST %s HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\n%s%d\r\n\r\n"
            .formatted(PATH, "Content-Length: ", body.length);
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), server.port())) {
      socket.getOutputStream().write(head.getBytes(StandardCharsets.UTF_8));
      socket.getOutputStream().write(body);
      socket.getOutputStream().flush();
      await(began);
      assertFalse(left.await(200, TimeUnit.MILLISECONDS));
    }
    await(left);
  }

  @Test
  void theClientAsksAndReads() throws IOException {
    JobId job = trained();
    ClientSettings settings =
        ClientSettings.at("http://127.0.0.1:" + server.port()).withPatience(Duration.ofSeconds(1));
    try (HalfCellClient client = new HalfCellClient(settings)) {
      PredictionResult said =
          client.predict(
              job.text(), PredictionRequest.of(new float[28][28]).withTop(2).atLevel("O0"));
      assertEquals(job.text(), said.job());
      assertEquals(64, said.modelSha256().length());
      assertEquals(List.of(0.1 + 0.2, -1.0), said.predictions().getFirst().logits());
      assertEquals(Optional.of("Boot"), said.predictions().getFirst().classes().getFirst().name());
      assertEquals(2, asked.element().top());
      assertFalse(asked.remove().pixels());
      client.predict(job.text(), PredictionRequest.ofPixels(new int[28][28], new int[28][28]));
      assertTrue(asked.element().pixels());
      assertEquals(List.of(2, 1, 28, 28), asked.remove().sizes());
      PredictionRequest wrong = PredictionRequest.of(new float[28][27]);
      ProblemException refused =
          assertThrows(ProblemException.class, () -> client.predict(job.text(), wrong));
      assertEquals("/inputs/0", refused.errors().getFirst().pointer());
    }
  }
}
