package dev.halfcell.rest.http;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.halfcell.rest.job.JobAction;
import dev.halfcell.rest.job.JobId;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** What jobs have written. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class FilesTest {
  private static final byte[] MODEL = new byte[300_000];

  private TestServer server;
  private ContractClient client;
  private JobId job = new JobId("0".repeat(32));

  @BeforeAll
  void start(@TempDir Path root) throws IOException {
    new Random(1).nextBytes(MODEL);
    server = TestServer.start(root);
    client = server.client();
    job = server.submit();
    Path run = server.folders().run(job);
    Files.createDirectories(run);
    Files.write(run.resolve("model.safetensors"), MODEL);
    Files.writeString(run.resolve("run.json"), "{\"data\":\"/home/somebody\"}");
    Files.writeString(run.resolve("summary.json"), "{\"test_accuracy\": 0.5}");
    StringBuilder rows = new StringBuilder();
    for (int step = 1; step <= 5000; step++) {
      rows.append(row(step));
      if (step == 2500) {
        rows.append("{\"epoch\":1,\"test_accuracy\":0.25}\n");
      }
    }
    Files.writeString(run.resolve("metrics.jsonl"), rows + "{\"step\":5001,\"epo");
    Files.writeString(server.folders().log(job), "one\ntwo \u001b[31mred\nthree\n");
  }

  private static String row(int step) {
    boolean overflow = step == 100;
    String offender =
        overflow
            ? ",\"first_offender\":{\"path\":\"/fc1\",\"op\":\"Dense\",\"direction\":\"backward\","
                + "\"dtype\":\"fp16\",\"shape\":\"[1]\",\"kind\":\"inf\",\"min\":null,\"max\":null,"
                + "\"zeros\":0.5,\"subnormals\":0.25,\"non_finite\":0.1}"
            : "";
    return ("{\"step\":%d,\"epoch\":%d,\"loss\":%s,\"scale\":%d,\"overflow\":%b,\"applied\":%b,"
            + "\"next_scale\":%d%s,\"lr\":0.1,\"step_ms\":1.5,\"data_wait_ms\":0.1}\n")
        .formatted(
            step,
            step <= 2500 ? 1 : 2,
            overflow ? "null" : Double.toString(10.0 / step),
            step <= 100 ? 1024 : 512,
            overflow,
            !overflow,
            step < 100 ? 1024 : 512,
            offender);
  }

  @AfterAll
  void stop() {
    server.close();
  }

  private String at(String path) {
    return "/v1/jobs/" + job + path;
  }

  @Test
  void seriesAreSampledAndKeepTheirEndsAndExtremes() {
    JsonNode all = client.get(at("/metrics?points=100")).expect(200).json();
    assertTrue(all.get("sampled").booleanValue());
    assertEquals(5000, all.get("totalPoints").longValue());
    int points = all.get("steps").size();
    assertTrue(points > 50 && points <= 100, () -> points + " points");
    assertEquals(1, all.at("/steps/0").longValue());
    assertEquals(5000, all.get("steps").get(points - 1).longValue());
    assertEquals(10.0, all.at("/series/loss/last/0").doubleValue());
    assertEquals(0.002, all.at("/series/loss/last").get(points - 1).doubleValue());
    assertEquals(1, all.get("overflows").valueStream().mapToInt(JsonNode::intValue).sum());
    assertEquals(2500, all.at("/epochs/0/step").longValue());
    double greatest =
        all.at("/series/loss/max").valueStream().mapToDouble(JsonNode::doubleValue).max().orElse(0);
    assertEquals(10.0, greatest);
    for (int i = 2; i < points; i++) {
      double first = all.get("steps").get(i - 1).longValue() + 1;
      double last = all.get("steps").get(i).longValue();
      if (first != 100) {
        assertEquals(10 / first, all.at("/series/loss/max").get(i).doubleValue());
        assertEquals(10 / last, all.at("/series/loss/min").get(i).doubleValue());
      }
    }
  }

  @Test
  void aRangeIsToldStepByStepWhereItFits() {
    JsonNode part = client.get(at("/metrics?from=99&to=101")).expect(200).json();
    assertFalse(part.get("sampled").booleanValue());
    assertEquals("[99,100,101]", part.get("steps").toString());
    assertTrue(part.at("/series/loss/last/1").isNull());
    assertEquals("[0,1,0]", part.get("overflows").toString());
    for (int points = 2; points < 6; points++) {
      int most = points;
      JsonNode few = client.get(at("/metrics?points=" + points)).expect(200).json();
      assertTrue(few.get("steps").size() <= most);
      assertEquals(5000, few.get("steps").get(few.get("steps").size() - 1).longValue());
    }
  }

  @Test
  void everyStepComesAsCsv() {
    List<String> lines =
        client.get(at("/metrics"), "Accept", "text/csv").expect(200).text().lines().toList();
    assertEquals(5001, lines.size());
    assertTrue(lines.getFirst().startsWith("step,epoch,overflow,applied,loss"));
    assertTrue(lines.get(100).startsWith("100,1,true,false,,1024.0"), lines.get(100));
  }

  @Test
  void aDiagnosisNamesWhatOverflowed() {
    JsonNode told = client.get(at("/diagnosis")).expect(200).json();
    assertEquals(1, told.get("overflowSteps").longValue());
    assertEquals(100, told.get("firstOverflow").longValue());
    assertEquals(1, told.get("scaleChanges").longValue());
    assertEquals("/fc1", told.at("/offenders/0/path").stringValue());
    assertEquals(0.25, told.at("/offenders/0/subnormals").doubleValue());
  }

  @Tag("CVE-2023-6977")
  @Test
  @Row("P23")
  void artifactsAreAClosedListOfNames() {
    List<String> names =
        client
            .get(at("/artifacts"))
            .expect(200)
            .json()
            .get("artifacts")
            .valueStream()
            .map(each -> each.get("name").stringValue())
            .toList();
    assertEquals(List.of("model.safetensors", "summary.json", "metrics.jsonl"), names);
    for (String name :
        List.of(
            "run.json",
            "..%2Frun.json",
            "%2e%2e",
            "..%5crun.json",
            ";",
            "worker.log",
            "%252e%252e%252fworker.log",
            "checkpoints",
            "a%0d%0ab",
            "best.safetensors")) {
      assertTrue(List.of(400, 404).contains(client.get(at("/artifacts/" + name)).status()), name);
    }
  }

  @Test
  @Row("P25")
  void anArtifactComesWholeOrInParts() {
    ContractClient.Reply whole = client.get(at("/artifacts/model.safetensors")).expect(200);
    assertArrayEquals(MODEL, whole.response().body());
    assertEquals("attachment; filename=\"model.safetensors\"", whole.header("Content-Disposition"));
    ContractClient.Reply part =
        client.get(at("/artifacts/model.safetensors"), "Range", "bytes=10-19").expect(206);
    assertArrayEquals(Arrays.copyOfRange(MODEL, 10, 20), part.response().body());
    assertEquals("bytes 10-19/300000", part.header("Content-Range"));
    ContractClient.Reply end =
        client.get(at("/artifacts/model.safetensors"), "Range", "bytes=-5").expect(206);
    assertArrayEquals(
        Arrays.copyOfRange(MODEL, MODEL.length - 5, MODEL.length), end.response().body());
    client.get(at("/artifacts/model.safetensors"), "Range", "bytes=300000-").expect(416);
    for (String odd : List.of("bytes=9-1", "bytes=0-0,1-1" + ",2-2".repeat(900), "lines=1-2")) {
      client.get(at("/artifacts/model.safetensors"), "Range", odd).expect(200);
    }
    client
        .get(at("/artifacts/model.safetensors"), "If-None-Match", whole.header("ETag"))
        .expect(304);
    ContractClient.Reply head = client.send("HEAD", at("/artifacts/model.safetensors"), "");
    assertEquals("300000", head.expect(200).header("Content-Length"));
  }

  @Test
  void aSummaryIsTheOneOfTheRun() {
    assertEquals(
        0.5, client.get(at("/summary")).expect(200).json().get("test_accuracy").doubleValue());
    client.get("/v1/jobs/" + server.submit() + "/summary").expect(404);
  }

  @Test
  @Row("P25")
  void logsComeWholeInPartsAndFromTheirEnd() {
    ContractClient.Reply whole = client.get(at("/logs")).expect(200);
    assertEquals("one\ntwo  [31mred\nthree\n", whole.text());
    assertEquals("23", whole.header("Log-Position"));
    assertEquals("three\n", client.get(at("/logs?tail=1")).expect(200).text());
    assertEquals("", client.get(at("/logs?tail=0")).expect(200).text());
    assertEquals(whole.text(), client.get(at("/logs?tail=9")).expect(200).text());
    assertEquals("three\n", client.get(at("/logs?since=17")).expect(200).text());
    assertEquals("ne", client.get(at("/logs"), "Range", "bytes=1-2").expect(206).text());
    assertEquals("", client.get(at("/logs?since=999")).expect(200).text());
    assertEquals("", client.get("/v1/jobs/" + server.submit() + "/logs").expect(200).text());
  }

  @Tag("Ray-46413")
  @Test
  void aFollowedLogHasItsLastLine() throws IOException {
    JobId running = server.submit();
    server.move(running, JobAction.CLAIM, JobAction.BEGIN);
    Files.createDirectories(server.folders().of(running));
    try (InputStream in = client.stream("/v1/jobs/" + running + "/logs?follow=true")) {
      Files.writeString(server.folders().log(running), "first\n");
      assertEquals("first\n", new String(in.readNBytes(6), StandardCharsets.UTF_8));
      Files.writeString(server.folders().log(running), "first\nlast");
      server.move(running, JobAction.COMPLETE);
      assertEquals("last", new String(in.readAllBytes(), StandardCharsets.UTF_8));
    }
  }

  @Test
  void plansAreToldForJobsAndBeforeThem() {
    JsonNode plan = client.get(at("/plan")).expect(200).json();
    assertEquals("O2", plan.get("level").stringValue());
    assertTrue(plan.get("estimated_peak_bytes").longValue() > 0);
    assertTrue(
        client.get(at("/plan"), "Accept", "text/plain").expect(200).text().contains("/conv1"));
    JsonNode preview =
        client.get("/v1/networks/lenet5/plan?level=O0&half=bf16&batchSize=8").expect(200).json();
    assertEquals("O0", preview.get("level").stringValue());
    client.get("/v1/networks/lenet6/plan").expect(404);
  }

  @Test
  void theServerSaysWhatItCanDo() {
    for (String path :
        List.of(
            "/v1/networks",
            "/v1/networks/lenet5",
            "/v1/datasets",
            "/v1/devices",
            "/v1/levels",
            "/v1/version",
            "/healthz",
            "/readyz",
            "/metrics",
            "/openapi.yaml",
            "/openapi.json",
            "/docs")) {
      client.get(path).expect(200);
    }
    String figures = client.get("/metrics").text();
    assertTrue(figures.contains("halfcell_jobs{state=\"QUEUED\"}"));
    assertTrue(figures.contains("halfcell_workers 2.0\n"), figures);
    assertTrue(figures.contains("halfcell_workers_resident_bytes 3.221225472E9\n"), figures);
    assertTrue(figures.contains("halfcell_workers_refused_total 5.0\n"), figures);
    assertTrue(client.get("/docs").text().contains("problem-conflict"));
  }
}
