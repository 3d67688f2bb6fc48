package dev.halfcell.cli;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.halfcell.zoo.job.JobSpecification;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The commands that ask a server: what they send, what they print, how they end. */
final class JobCommandsTest {
  private static final String ID = ServiceDouble.ID;
  private static final String JOB = ServiceDouble.JOB;

  @Test
  void submitSendsWhatFlagsSayAndPrintsTheId() {
    try (ServiceDouble service =
        new ServiceDouble().says("POST /v1/jobs", 202, ServiceDouble.job("QUEUED"))) {
      CommandLineRun run =
          CommandLineRun.of(
              "submit",
              "lenet5",
              "--level=O2",
              "--half=bf16",
              "--epochs=2",
              "--data=synthetic",
              "--name=first",
              "--label=team=a",
              "--priority=3",
              "--external-id=mine",
              service.option());
      assertEquals(0, run.exitCode(), run.err());
      assertEquals(ID + "\n", run.out());
      assertEquals(List.of("POST /v1/jobs?externalId=mine"), service.requests());
      JobSpecification expected =
          JobSpecification.of("lenet5")
              .with("/precision/level", "O2")
              .with("/precision/half", "bf16")
              .with("/training/epochs", 2)
              .with("/dataset/name", "synthetic")
              .with("/name", "first")
              .with("/labels", Map.of("team", "a"))
              .with("/priority", 3);
      assertEquals(expected, JobSpecification.ofJson(service.bodies().getFirst()));
    }
  }

  @Test
  void submitTakesTheFilesThatTrainTakes(@TempDir Path folder) throws Exception {
    Path file = folder.resolve("job.yaml");
    Files.writeString(file, "network: {name: lenet5}\ntraining: {epochs: 3}\n");
    try (ServiceDouble service =
        new ServiceDouble().says("POST /v1/jobs", 202, ServiceDouble.job("QUEUED"))) {
      CommandLineRun.of("submit", "--config=" + file, "--epochs=4", service.option());
      assertEquals(
          JobSpecification.of("lenet5").with("/training/epochs", 4),
          JobSpecification.ofJson(service.bodies().getFirst()));
    }
  }

  @Test
  void submitMayWaitForTheOutcome() {
    try (ServiceDouble service = new ServiceDouble().runsTo("CANCELLED", "")) {
      service.says("POST /v1/jobs", 202, ServiceDouble.job("QUEUED"));
      CommandLineRun run = CommandLineRun.of("submit", "lenet5", "--wait", service.option());
      assertEquals(3, run.exitCode(), run.err());
      assertEquals(ID, run.outLines().getFirst());
      assertTrue(run.err().contains("cancelled"), run.err());
    }
  }

  @Test
  void aDryRunSaysWhatItWouldTake() {
    String answer =
        """
        {"network":"lenet5","level":"O2","epochs":2,"stepsPerEpoch":5,"totalSteps":10,
         "batchSize":64,"memory":{"bytes":1048576,"limitBytes":2097152,"parts":{},"text":"x"},
         "time":{"seconds":125.0,"secondsPerStep":12.5,"measuredBy":"%s"},
         "plan":{},"resolved":{}}"""
            .formatted(ID);
    try (ServiceDouble service = new ServiceDouble().says("POST /v1/jobs", 200, answer)) {
      CommandLineRun run = CommandLineRun.of("submit", "lenet5", "--dry-run", service.option());
      assertEquals(0, run.exitCode(), run.err());
      assertTrue(run.out().contains("steps    10 in 2 epochs, of 64 samples"), run.out());
      assertTrue(run.out().contains("memory   1.0 MiB, a job may hold 2.0 MiB"), run.out());
      String time =
          "time     2 min 5 s once it is begun, as job " + ID + " took 12500.00 ms a step";
      assertTrue(run.out().contains(time), run.out());
      assertEquals(List.of("POST /v1/jobs?dryRun=true"), service.requests());
    }
  }

  @Test
  void aRefusedSpecificationIsOneLineWithItsPointers() {
    String problem =
        """
        {"type":"/docs#problem-invalid","title":"What was sent is not acceptable","status":422,
         "detail":"2 keys","errors":[{"pointer":"/a","message":"is wrong\\n"},
         {"pointer":"/b","message":"too","allowed":"1"}]}""";
    try (ServiceDouble service = new ServiceDouble().says("POST /v1/jobs", 422, problem)) {
      CommandLineRun run = CommandLineRun.of("submit", "lenet5", service.option());
      assertEquals(2, run.exitCode());
      assertEquals(1, run.errLines().size(), run.err());
      assertTrue(run.err().contains("/a: is wrong ; /b: too (allowed: 1)."), run.err());
    }
  }

  @ParameterizedTest
  @CsvSource({"503, 4", "500, 4", "429, 4", "401, 2", "403, 2", "409, 2"})
  void aProblemEndsByWhoseItIs(int status, int code) {
    String problem =
        "{\"type\":\"/docs#x\",\"title\":\"T\",\"status\":" + status + ",\"detail\":\"d\"}";
    try (ServiceDouble service = new ServiceDouble().says("GET /v1/jobs", status, problem)) {
      CommandLineRun run = CommandLineRun.of("jobs", service.option(), "--patience=1");
      assertEquals(code, run.exitCode(), run.err());
      assertTrue(run.err().contains(status + " T: d."), run.err());
    }
  }

  @Test
  void jobsAreATable() {
    String page = "{\"jobs\":[" + ServiceDouble.job("RUNNING") + "]}";
    try (ServiceDouble service = new ServiceDouble().says("GET /v1/jobs", 200, page)) {
      CommandLineRun run =
          CommandLineRun.of(
              "jobs",
              "--state=RUNNING,QUEUED",
              "--label=team=a",
              "--network=lenet5",
              "--level=O2",
              "--sort=oldest",
              "--limit=3",
              service.option());
      assertEquals(0, run.exitCode(), run.err());
      assertEquals(2, run.outLines().size());
      assertTrue(run.outLines().getFirst().matches("ID +NAME +NETWORK .*REASON"), run.out());
      assertTrue(
          run.out()
              .matches(
                  "(?s).*" + ID + "  first  lenet5   O2     RUNNING  50 %  20.*Why it is so\\.\n"),
          run.out());
      assertEquals(
          "GET /v1/jobs?state=RUNNING&state=QUEUED&label=team%3Da&network=lenet5&level=O2"
              + "&sort=oldest&limit=3",
          service.requests().getFirst());
    }
  }

  @Test
  void whatOthersCalledAJobDoesNotReachTheTerminal() {
    String page =
        "{\"jobs\":["
            + ServiceDouble.job("RUNNING").replace("first", "\\u001b[2Jx\\u009b\\n")
            + "]}";
    try (ServiceDouble service = new ServiceDouble().says("GET /v1/jobs", 200, page)) {
      CommandLineRun run = CommandLineRun.of("jobs", service.option());
      assertTrue(run.out().contains("?[2Jx?"), run.out());
      assertEquals(2, run.outLines().size());
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"cancel", "pause", "resume"})
  void actionsPrintTheJobAsItIs(String action) {
    try (ServiceDouble service =
        new ServiceDouble().says("POST " + JOB + "/" + action, 202, ServiceDouble.job("PAUSED"))) {
      CommandLineRun run = CommandLineRun.of(action, ID, service.option());
      assertEquals(0, run.exitCode(), run.err());
      assertEquals(ID + " PAUSED\n", run.out());
    }
  }

  private static ServiceDouble withFile(byte[] promised, byte[] sent) throws Exception {
    String hash = HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(promised));
    String list =
        """
        {"artifacts":[{"name":"summary.json","bytes":%d,"sha256":"%s",
         "mediaType":"application/json","modifiedAt":"2026-01-01T00:00:00Z"}]}"""
            .formatted(promised.length, hash);
    return new ServiceDouble()
        .says("GET " + JOB + "/artifacts", 200, list)
        .says("GET " + JOB + "/artifacts/summary.json", 200, "application/json", sent);
  }

  @Test
  void fetchBringsFilesAndPrintsWhereTheyAre(@TempDir Path folder) throws Exception {
    byte[] bytes = "{}".getBytes(StandardCharsets.UTF_8);
    Path out = folder.resolve("a/b");
    try (ServiceDouble service = withFile(bytes, bytes)) {
      CommandLineRun run = CommandLineRun.of("fetch", ID, "--out=" + out, service.option());
      assertEquals(0, run.exitCode(), run.err());
      assertEquals(out.resolve("summary.json") + "  2 B\n", run.out());
      assertArrayEquals(bytes, Files.readAllBytes(out.resolve("summary.json")));
    }
  }

  @Test
  void fetchRefusesWhatIsNotThereAndWhatIsNotRight(@TempDir Path folder) throws Exception {
    byte[] bytes = "{}".getBytes(StandardCharsets.UTF_8);
    byte[] wrong = "[]".getBytes(StandardCharsets.UTF_8);
    try (ServiceDouble service = withFile(bytes, wrong)) {
      CommandLineRun missing =
          CommandLineRun.of("fetch", ID, "model.safetensors", "--out=" + folder, service.option());
      assertEquals(2, missing.exitCode());
      assertTrue(missing.err().contains("summary.json"), missing.err());
      CommandLineRun damaged = CommandLineRun.of("fetch", ID, "--out=" + folder, service.option());
      assertEquals(6, damaged.exitCode(), damaged.err());
      assertTrue(damaged.err().contains("SHA-256"), damaged.err());
      assertFalse(Files.exists(folder.resolve("summary.json")));
    }
  }

  @ParameterizedTest
  @CsvSource({
    "submit lenet5 --data=/tmp,            --data, synthetic",
    "submit lenet6,                        'lenet6', lenet5",
    "submit lenet5 --out=x,                --out, Unknown",
    "submit lenet5 --priority=high,        --priority, high",
    "submit lenet5 --epochs=0,             --epochs, from 1",
    "submit lenet5 --token=abc,            --token, Unknown",
    "submit lenet5 --server=halfcell:80,   server, http://127.0.0.1:8080",
    "jobs --state=ASLEEP,                  --state, QUEUED",
    "jobs --limit=0,                       --limit, from 1",
    "cancel,                               JOB, cancel",
    "cancel x --wait=61,                   --wait, 60",
    "fetch ../x,                           job, 32 hexadecimal digits",
    "watch x --token-file=/no/file,        --token-file, /no/file",
    "watch x --patience=0,                 --patience, from 1",
  })
  void badArgumentsAreRefused(String line, String first, String second) {
    CommandLineRun run = CommandLineRun.of(line.split(" "));
    assertEquals(2, run.exitCode(), run.err());
    assertEquals(1, run.errLines().size(), run.err());
    assertTrue(run.err().contains(first) && run.err().contains(second), run.err());
    assertFalse(run.err().contains("Exception"), run.err());
  }
}
