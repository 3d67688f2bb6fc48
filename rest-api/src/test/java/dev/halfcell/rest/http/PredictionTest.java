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
import dev.halfcell.rest.job.JobAction;
import dev.halfcell.rest.job.JobId;
import dev.halfcell.rest.service.RefusedException;
import dev.halfcell.rest.worker.FromWorker.Predicted;
import dev.halfcell.rest.worker.ToWorker.Predict;
import dev.halfcell.zoo.run.Prediction;
import java.io.IOException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import tools.jackson.databind.JsonNode;

/** What is asked of models and answered, where no model runs. */
@Timeout(60)
class PredictionTest {
  private static final String PATH = "/v1/predictions";
  private static final String IMAGE = rows(28, row(28, "0"));
  private static final String ANN = "ann-0123456789abcdef";
  private static final String BOB = "bob-0123456789abcdef";

  @TempDir private Path root;
  private final BlockingQueue<Predict> asked = new LinkedBlockingQueue<>();
  private TestServer server;

  @BeforeEach
  void start() {
    server = TestServer.start(root);
    server.workers().predict((_, what, _, _) -> answer(what));
  }

  @AfterEach
  void stop() {
    server.close();
  }

  private static String row(int size, String number) {
    return "[" + String.join(",", Stream.generate(() -> number).limit(size).toList()) + "]";
  }

  private static String rows(int size, String row) {
    return row(size, row);
  }

  private Predicted answer(Predict what) {
    asked.add(what);
    return predicted(what.sizes().getFirst());
  }

  private static Predicted predicted(int samples) {
    List<Prediction> all =
        Stream.iterate(0, n -> n + 1)
            .limit(samples)
            .map(
                n ->
                    new Prediction(
                        n,
                        List.of(0.1 + 0.2, -1.0),
                        List.of(0.75, 0.25),
                        List.of(new Prediction.Guess(0, Optional.of("Boot"), 0.75))))
            .toList();
    return new Predicted(all, "O2", "bf16", "cpu");
  }

  /** A job that has succeeded, and left a model. */
  private JobId trained() throws IOException {
    JobId job = server.submit();
    server.move(job, JobAction.CLAIM, JobAction.BEGIN, JobAction.COMPLETE);
    Path run = Files.createDirectories(server.folders().run(job));
    Files.writeString(run.resolve("model.safetensors"), "values");
    return job;
  }

  private static String body(JobId job, String inputs, String more) {
    return "{\"job\": \"" + job + "\", \"inputs\": " + inputs + more + "}";
  }

  @Test
  void aModelSaysWhatItMakesOfEachSample() throws IOException {
    JobId job = trained();
    String two = "[" + IMAGE + "," + rows(28, row(28, "7")) + "]";
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
    String own = "[[" + rows(32, row(32, "0.5")) + "]]";
    server.client().post(PATH, body(job, own, ", \"top\": 10")).expect(200);
    assertEquals(List.of(1, 1, 32, 32), asked.element().sizes());
    assertEquals(10, asked.remove().top());
    server.client().post(PATH, body(job, "[" + rows(32, row(32, "1e-3")) + "]", "")).expect(200);
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

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      nullValues = "-",
      value = {
        "[]                       | -     | 422 | /inputs",
        "{}                       | -     | 422 | /inputs",
        "[1]                      | -     | 422 | /inputs/0",
        "[null]                   | -     | 422 | /inputs/0",
        "[[]]                     | -     | 422 | /inputs/0",
        "[[[[[[0]]]]]]            | -     | 422 | /inputs/0",
        "[R27]                    | -     | 422 | /inputs/0",
        "[[I,I]]                  | -     | 422 | /inputs/0",
        "[I,R27]                  | -     | 422 | /inputs/1",
        "[I,[I]]                  | -     | 422 | /inputs/1",
        "[I,1]                    | -     | 422 | /inputs/1",
        "[R28:null]               | -     | 422 | /inputs/0/0/0",
        "[R28:true]               | -     | 422 | /inputs/0/0/0",
        "[R28:\"1\"]              | -     | 422 | /inputs/0/0/0",
        "[R28:[1]]                | -     | 422 | /inputs/0",
        "[R28:{}]                 | -     | 422 | /inputs/0/0/0",
        "[R28:1e39]               | -     | 422 | /inputs/0/0/0",
        "[R28:-4e38]              | -     | 422 | /inputs/0/0/0",
        "[R28:1e999]              | -     | 400 | -",
        "[R28:NaN]                | -     | 400 | -",
        "[R28:256]                | true  | 422 | /inputs/0/0/0",
        "[R28:-1]                 | true  | 422 | /inputs/0/0/0",
        "[R28:0.5]                | true  | 422 | /inputs/0/0/0",
        "[R28:9999999999999999999]| true  | 422 | /inputs/0/0/0",
        "[R28:0]                  | 1     | 422 | /pixels",
        "[R28:0]                  | true,\"top\":0     | 422 | /top",
        "[R28:0]                  | true,\"top\":1.5   | 422 | /top",
        "[R28:0]                  | true,\"path\":\"x\" | 422 | /path",
        "[R28:0]                  | true,\"job\":\"x\"  | 400 | -",
      })
  void whatIsNoSampleIsRefusedWithItsPlace(String inputs, String pixels, int status, String pointer)
      throws IOException {
    String image = IMAGE;
    String number = inputs.replaceAll("(?s).*R28:(.*)].*", "$1");
    String written =
        inputs
            .replace("R28:" + number, rows(28, row(28, number)))
            .replace("R27", rows(27, row(28, "0")))
            .replace("I", image);
    String more = pixels == null ? "" : ", \"pixels\": " + pixels;
    ContractClient.Reply reply =
        server.client().post(PATH, body(trained(), written, more)).expect(status);
    if (pointer != null) {
      assertEquals(pointer, reply.json().at("/errors/0/pointer").asString(""), () -> reply.text());
    }
    assertTrue(asked.isEmpty());
  }

  @Test
  void moreThanMayBeSentIsTooLarge() throws IOException {
    JobId job = trained();
    String most = row(64, IMAGE);
    server.client().post(PATH, body(job, most, "")).expect(200);
    assertEquals(64, asked.remove().sizes().getFirst());
    server.client().post(PATH, body(job, row(65, IMAGE), "")).expect(413);
    String long64 = row(64, rows(28, row(28, "0.12345")));
    assertTrue(long64.length() > 256 * 1024);
    server.client().post(PATH, body(job, long64, "")).expect(413);
    assertTrue(asked.isEmpty());
  }

  @Test
  void onlyAJobThatHasSucceededHasAModel() throws IOException {
    String inputs = "[" + IMAGE + "]";
    JobId job = server.submit();
    ContractClient client = server.client();
    for (JobAction next : List.of(JobAction.CLAIM, JobAction.BEGIN, JobAction.FAIL)) {
      client.post(PATH, body(job, inputs, "")).expect(409);
      server.move(job, next);
    }
    client.post(PATH, body(job, inputs, "")).expect(409);
    JobId done = trained();
    Files.delete(server.folders().run(done).resolve("model.safetensors"));
    client.post(PATH, body(done, inputs, "")).expect(409);
    for (String unknown : List.of("0".repeat(32), "x", "", "../" + done)) {
      client.post(PATH, "{\"job\":\"" + unknown + "\",\"inputs\":" + inputs + "}").expect(404);
    }
    client.post(PATH, "{\"inputs\":" + inputs + "}").expect(422);
    client.post(PATH, "{\"job\":\"" + done + "\"}").expect(422);
    client.post(PATH, "").expect(400);
    client.get(PATH).expect(405);
    assertTrue(asked.isEmpty());
  }

  @Test
  void whatWasTrainedOnRandomNumbersHasLearnedNothing() throws IOException {
    String id =
        server
            .client()
            .post(
                "/v1/jobs",
                "{\"network\": {\"name\": \"mlp\"}, \"dataset\": {\"name\": \"synthetic\"}}")
            .expect(202)
            .json()
            .get("id")
            .stringValue();
    JobId job = new JobId(id);
    server.move(job, JobAction.CLAIM, JobAction.BEGIN, JobAction.COMPLETE);
    Path run = Files.createDirectories(server.folders().run(job));
    Files.writeString(run.resolve("model.safetensors"), "values");
    String text = server.client().post(PATH, body(job, "[" + IMAGE + "]", "")).expect(409).text();
    assertTrue(text.contains("random numbers"), text);
  }

  @Test
  void aModelOfAnotherOwnerIsNotThere(@TempDir Path other) throws IOException {
    Tokens tokens = Tokens.parse("ann read,submit %s\nbob read,submit %s\n".formatted(ANN, BOB));
    try (TestServer closed = TestServer.start(other, TestServer.http(), tokens)) {
      String[] ann = {"Authorization", "Bearer " + ANN};
      String id =
          closed
              .client()
              .post("/v1/jobs", "{\"network\": {\"name\": \"lenet5\"}}", ann)
              .json()
              .get("id")
              .stringValue();
      String asking = body(new JobId(id), "[" + IMAGE + "]", "");
      closed.client().post(PATH, asking, ann).expect(409);
      closed.client().post(PATH, asking, "Authorization", "Bearer " + BOB).expect(404);
    }
  }

  @ParameterizedTest
  @EnumSource(RefusedException.Kind.class)
  void whatIsRefusedIsToldAsItIs(RefusedException.Kind kind) throws IOException {
    JobId job = trained();
    server
        .workers()
        .predict(
            (_, _, _, _) -> {
              throw switch (kind) {
                case MISSING -> RefusedException.missing("job");
                case CONFLICT -> RefusedException.conflict("It is damaged.");
                case INVALID -> RefusedException.invalid("/inputs", "It is not finite.");
                case TOO_MUCH -> RefusedException.tooMuch("It is too much.");
                case UNAVAILABLE -> RefusedException.unavailable("It took too long.");
              };
            });
    int status =
        switch (kind) {
          case MISSING -> 404;
          case CONFLICT -> 409;
          case INVALID -> 422;
          case TOO_MUCH -> 429;
          case UNAVAILABLE -> 503;
        };
    server.client().post(PATH, body(job, "[" + IMAGE + "]", "")).expect(status);
  }

  @Test
  void aJobThatIsDeletedMeanwhileIsNotThere() throws IOException {
    JobId job = trained();
    server
        .workers()
        .predict(
            (_, _, _, _) -> {
              server.client().send("DELETE", "/v1/jobs/" + job, "").expect(204);
              throw RefusedException.conflict("There is no model.");
            });
    server.client().post(PATH, body(job, "[" + IMAGE + "]", "")).expect(404);
  }

  @Test
  void noMoreThanTwoAreMadeAtATime() throws Exception {
    JobId job = trained();
    CountDownLatch go = new CountDownLatch(1);
    server
        .workers()
        .predict(
            (_, what, _, _) -> {
              Predicted said = answer(what);
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
        .predict(
            (_, what, _, gone) -> {
              gone.thenRun(left::countDown);
              began.countDown();
              await(left);
              return answer(what);
            });
    byte[] body = body(job, "[" + IMAGE + "]", "").getBytes(StandardCharsets.UTF_8);
    String head =
        "POST %s HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\n%s%d\r\n\r\n"
            .formatted(PATH, "Content-Length: ", body.length);
    try (Socket socket = new Socket("127.0.0.1", server.port())) {
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
