package dev.halfcell.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.halfcell.rest.LocalServer;
import dev.halfcell.rest.LocalSettings;
import dev.halfcell.rest.client.Artifact;
import dev.halfcell.rest.client.ClientSettings;
import dev.halfcell.rest.client.HalfCellClient;
import dev.halfcell.rest.client.Job;
import dev.halfcell.rest.client.JobEvents;
import dev.halfcell.rest.client.PredictionRequest;
import dev.halfcell.rest.client.PredictionResult;
import dev.halfcell.rest.client.PredictionResult.LikelyClass;
import dev.halfcell.rest.client.PredictionResult.SamplePrediction;
import dev.halfcell.rest.client.ProblemException;
import dev.halfcell.zoo.job.JobSpecification;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** A model that a service has trained says over HTTP what it says on the command line. */
@Timeout(300)
@Tag("process")
final class PredictionServiceTest {
  private static final int SIDE = 28;
  private static final int IMAGES = 5;

  private static final JobSpecification SMALL =
      JobSpecification.of("lenet5")
          .with("/device", "cpu")
          .with("/precision/level", "O2")
          .with("/training/steps", 10)
          .with("/training/batchSize", 4);

  private final JsonMapper json = new JsonMapper();
  private final Random random = new Random(7);

  @TempDir private Path folder;

  private Job trained(HalfCellClient client, JobSpecification specification) {
    Job job = client.submit(specification).job();
    try (JobEvents events = client.events(job.id(), 0)) {
      while (events.next().isPresent()) {
        // until its end
      }
      assertEquals("SUCCEEDED", events.outcome().orElseThrow().name());
    }
    return job;
  }

  private LocalServer server() throws IOException {
    Path settings = Files.writeString(folder.resolve("settings.yaml"), "dataset: embedded\n");
    return LocalServer.start(LocalSettings.of(folder.resolve("service"), 0).with(settings));
  }

  @Test
  void aModelSaysTheSameOverHttpAsOnTheCommandLine() throws Exception {
    try (LocalServer server = server();
        HalfCellClient client =
            new HalfCellClient(
                ClientSettings.at(server.address().toString())
                    .withPatience(Duration.ofSeconds(60)))) {
      Job job = trained(client, SMALL);
      int[][][] pixels = new int[IMAGES][SIDE][SIDE];
      float[][][] numbers = new float[IMAGES][SIDE][SIDE];
      ByteBuffer bytes = ByteBuffer.allocate(IMAGES * SIDE * SIDE);
      ByteBuffer floats = ByteBuffer.allocate(4 * bytes.capacity()).order(ByteOrder.LITTLE_ENDIAN);
      for (int i = 0; i < bytes.capacity(); i++) {
        int pixel = random.nextInt(256);
        float number = (float) random.nextGaussian();
        pixels[i / (SIDE * SIDE)][i / SIDE % SIDE][i % SIDE] = pixel;
        numbers[i / (SIDE * SIDE)][i / SIDE % SIDE][i % SIDE] = number;
        bytes.put((byte) pixel);
        floats.putFloat(number);
      }
      PredictionResult ofPixels =
          client.predict(job.id(), PredictionRequest.ofPixels(pixels).withTop(10));
      assertEquals(local(job, npy("pixels.npy", "|u1", bytes)), shown(ofPixels));
      PredictionResult ofNumbers =
          client.predict(job.id(), PredictionRequest.of(numbers).withTop(10));
      assertEquals(local(job, npy("numbers.npy", "<f4", floats)), shown(ofNumbers));

      assertEquals(sha(client, job), ofPixels.modelSha256());
      assertEquals("O2", ofPixels.level());
      PredictionResult wide =
          client.predict(job.id(), PredictionRequest.of(numbers).withTop(10).atLevel("O0"));
      assertEquals("O0", wide.level());
      assertNotEquals(logits(ofNumbers), logits(wide));
      for (int i = 0; i < logits(wide).size(); i++) {
        assertEquals(logits(ofNumbers).get(i), logits(wide).get(i), 0.1);
      }
      assertNoProcess();
      assertRefusals(client, job);
      System.out.println("a prediction took " + wide.milliseconds() + " ms");
    }
    assertNoProcess();
  }

  private static void assertRefusals(HalfCellClient client, Job job) {
    ProblemException shape =
        assertThrows(
            ProblemException.class,
            () -> client.predict(job.id(), PredictionRequest.of(new float[SIDE][SIDE + 1])));
    assertEquals(422, shape.status());
    // Finite inputs, and outputs that are not.
    float[][] huge = new float[SIDE][SIDE];
    huge[SIDE / 2][SIDE / 2] = 3e38f;
    ProblemException result =
        assertThrows(
            ProblemException.class, () -> client.predict(job.id(), PredictionRequest.of(huge)));
    assertEquals(422, result.status(), () -> result.problem().message());
  }

  private static String sha(HalfCellClient client, Job job) {
    return client.artifacts(job.id()).stream()
        .filter(each -> each.name().equals("model.safetensors"))
        .map(Artifact::sha256)
        .findFirst()
        .orElseThrow();
  }

  private static List<Double> logits(PredictionResult result) {
    return result.predictions().stream().flatMap(each -> each.logits().stream()).toList();
  }

  private static List<String> shown(PredictionResult result) {
    List<String> lines = new ArrayList<>();
    for (SamplePrediction sample : result.predictions()) {
      for (LikelyClass each : sample.classes()) {
        assertEquals(sample.probabilities().get(each.label()), each.probability());
        lines.add(
            lines.size() / 10
                + " "
                + each.label()
                + " "
                + each.name().orElse("")
                + " "
                + each.probability());
      }
    }
    return lines;
  }

  /** What {@code halfcell predict} says of a file. */
  private List<String> local(Job job, Path file) {
    Path run = folder.resolve("service/jobs").resolve(job.id().substring(0, 2)).resolve(job.id());
    CommandLineRun said =
        CommandLineRun.of(
            "predict", run.resolve("run").toString(), file.toString(), "--json", "--top=10");
    assertEquals(0, said.exitCode(), said::err);
    List<String> lines = new ArrayList<>();
    for (String line : said.outLines()) {
      JsonNode sample = json.readTree(line);
      for (JsonNode guess : sample.get("guesses")) {
        lines.add(
            sample.get("sample").intValue()
                + " "
                + guess.get("class").intValue()
                + " "
                + guess.get("name").stringValue()
                + " "
                + guess.get("probability").doubleValue());
      }
    }
    assertEquals(10 * IMAGES, lines.size());
    return lines;
  }

  private Path npy(String name, String descr, ByteBuffer elements) throws IOException {
    String header =
        "{'descr': '%s', 'fortran_order': False, 'shape': (%d, 1, %d, %d), }\n"
            .formatted(descr, IMAGES, SIDE, SIDE);
    ByteBuffer file =
        ByteBuffer.allocate(10 + header.length() + elements.capacity())
            .order(ByteOrder.LITTLE_ENDIAN)
            .put(new byte[] {(byte) 0x93, 'N', 'U', 'M', 'P', 'Y', 1, 0})
            .putShort((short) header.length())
            .put(header.getBytes(StandardCharsets.US_ASCII))
            .put(elements.flip());
    return Files.write(folder.resolve(name), file.array());
  }

  /** None that this process has begun. */
  private static void assertNoProcess() throws IOException {
    try (Stream<ProcessHandle> children = ProcessHandle.current().descendants()) {
      for (ProcessHandle child : children.toList()) {
        Path environment = Path.of("/proc/" + child.pid() + "/environ");
        String text = Files.exists(environment) ? Files.readString(environment) : "";
        assertTrue(!text.contains("HALFCELL_JOB="), () -> "a process lives on: " + child.info());
      }
    }
  }
}
