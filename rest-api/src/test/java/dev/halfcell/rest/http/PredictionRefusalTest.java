package dev.halfcell.rest.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.halfcell.rest.job.JobAction;
import dev.halfcell.rest.job.JobId;
import dev.halfcell.rest.service.RefusedException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** What is asked of models and refused. */
@Timeout(60)
class PredictionRefusalTest extends Predicting {
  private static final String ANN = "ann-0123456789abcdef";
  private static final String BOB = "bob-0123456789abcdef";

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
        "[R28:0]                  | true,\"top\":1e308 | 422 | /top",
        "[R28:0]                  | true,\"path\":\"x\" | 422 | /path",
        "[R28:0]                  | true,\"job\":\"x\"  | 400 | -",
      })
  void whatIsNoSampleIsRefusedWithItsPlace(String inputs, String pixels, int status, String pointer)
      throws IOException {
    String image = IMAGE;
    String number = inputs.replaceAll("(?s).*R28:(.*)].*", "$1");
    String written =
        inputs
            .replace("R28:" + number, row(28, row(28, number)))
            .replace("R27", row(27, row(28, "0")))
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
    String long64 = row(64, row(28, row(28, "0.12345")));
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
        .perform(
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
        .perform(
            (_, _, _, _) -> {
              server.client().send("DELETE", "/v1/jobs/" + job, "").expect(204);
              throw RefusedException.conflict("There is no model.");
            });
    server.client().post(PATH, body(job, "[" + IMAGE + "]", "")).expect(404);
  }
}
