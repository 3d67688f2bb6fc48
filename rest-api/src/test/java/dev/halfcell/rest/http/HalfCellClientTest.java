package dev.halfcell.rest.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.halfcell.rest.client.Artifact;
import dev.halfcell.rest.client.ClientSettings;
import dev.halfcell.rest.client.DryRun;
import dev.halfcell.rest.client.Event;
import dev.halfcell.rest.client.HalfCellClient;
import dev.halfcell.rest.client.HalfCellClient.SubmitOptions;
import dev.halfcell.rest.client.Job;
import dev.halfcell.rest.client.JobEvents;
import dev.halfcell.rest.client.JobFilter;
import dev.halfcell.rest.client.JobPage;
import dev.halfcell.rest.client.ProblemException;
import dev.halfcell.rest.client.Submission;
import dev.halfcell.rest.job.JobAction;
import dev.halfcell.rest.job.JobId;
import dev.halfcell.rest.job.JobState;
import dev.halfcell.zoo.job.JobSpecification;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The client and the server understand each other. */
@Timeout(60)
class HalfCellClientTest {
  private static final JobSpecification LENET = JobSpecification.of("lenet5");
  private static final SubmitOptions PLAIN = SubmitOptions.none();

  @TempDir private Path root;
  @TempDir private Path fetched;
  private TestServer server;
  private HalfCellClient client;

  @BeforeEach
  void start() {
    server = TestServer.start(root);
    client = client("http://127.0.0.1:" + server.port());
  }

  private static HalfCellClient client(String address) {
    return new HalfCellClient(ClientSettings.at(address).withPatience(Duration.ofSeconds(5)));
  }

  @AfterEach
  void stop() {
    client.close();
    server.close();
  }

  @Test
  void aJobIsSubmittedReadAndListed() {
    JobSpecification named =
        LENET.with("/name", "first").with("/labels", Map.of("team", "a & b=c"));
    SubmitOptions mine = new SubmitOptions(Optional.of("mine"), Optional.of("key"));
    Submission first = client.submit(named, mine);
    Submission again = client.submit(named, mine);
    assertFalse(first.replayed());
    assertTrue(again.replayed());
    assertEquals(first.job().id(), again.job().id());
    Job job = client.job(first.job().id());
    assertEquals(JobState.QUEUED, job.state());
    assertEquals(Optional.of("first"), job.name());
    assertEquals(Optional.of("mine"), job.externalId());
    assertEquals(Map.of("name", "lenet5"), job.specification().orElseThrow().get("network"));
    client.submit(LENET.with("/precision/level", "O0"), PLAIN);
    JobFilter one =
        new JobFilter(
            List.of(),
            Map.of("team", "a & b=c"),
            Optional.empty(),
            Optional.of("O2"),
            Optional.of("oldest"),
            1);
    assertEquals(List.of(job.id()), client.jobs(one).jobs().stream().map(Job::id).toList());
  }

  @Test
  void pagesFollowEachOther() {
    for (int count = 0; count < 3; count++) {
      client.submit(LENET, PLAIN);
    }
    JobFilter two =
        new JobFilter(
            List.of(JobState.QUEUED),
            Map.of(),
            Optional.of("lenet5"),
            Optional.empty(),
            Optional.empty(),
            2);
    JobPage first = client.jobs(two);
    JobPage second = client.jobs(two, first.next().orElseThrow());
    assertEquals(2, first.jobs().size());
    assertEquals(1, second.jobs().size());
    assertEquals(Optional.empty(), second.next());
  }

  @Test
  void eventsAreToldToTheirEnd() {
    JobId id = server.submit();
    server.move(id, JobAction.CLAIM, JobAction.BEGIN);
    for (int step = 1; step <= 3; step++) {
      server.step(id, step);
    }
    server.move(id, JobAction.COMPLETE);
    List<String> kinds = new ArrayList<>();
    try (JobEvents events = client.events(id.text(), 0)) {
      for (Optional<Event> event = events.next(); event.isPresent(); event = events.next()) {
        kinds.add(event.get().kind());
      }
      assertEquals(Optional.of(JobState.SUCCEEDED), events.outcome());
    }
    assertEquals(List.of("state", "state", "state", "step", "step", "step", "state"), kinds);
  }

  @Test
  void aJobIsCancelledAndDeleted() {
    String id = client.submit(LENET, PLAIN).job().id();
    assertEquals(JobState.PAUSED, client.pause(id, Duration.ofSeconds(1)).state());
    assertEquals(JobState.QUEUED, client.resume(id, Optional.empty()).state());
    assertEquals(JobState.CANCELLED, client.cancel(id, Duration.ZERO).state());
    Job other = client.clone(id, Map.of("/precision/level", "O0"));
    assertEquals("O0", other.level());
    client.delete(id);
    client.delete(id);
    assertEquals(404, assertThrows(ProblemException.class, () -> client.job(id)).status());
  }

  @Test
  void filesAreFetched() throws IOException {
    JobId id = server.submit();
    Path run = Files.createDirectories(server.folders().run(id));
    Files.writeString(run.resolve("summary.json"), "{}");
    Files.writeString(run.resolve("plan.txt"), "");
    for (Artifact artifact : client.artifacts(id.text())) {
      client.fetch(id.text(), artifact, fetched);
    }
    assertEquals("{}", Files.readString(fetched.resolve("summary.json")));
    assertEquals("", Files.readString(fetched.resolve("plan.txt")));
  }

  @Test
  void aFileIsGoneOnWith() throws IOException {
    JobId id = server.submit();
    Path run = Files.createDirectories(server.folders().run(id));
    Files.writeString(run.resolve("summary.json"), "{\"whole\": true}");
    Artifact artifact = client.artifacts(id.text()).getFirst();
    String part = ".summary.json." + artifact.sha256().substring(0, 16) + ".partial";
    Files.writeString(fetched.resolve(part), "{\"whole");
    client.fetch(id.text(), artifact, fetched);
    assertEquals("{\"whole\": true}", Files.readString(fetched.resolve("summary.json")));
    assertFalse(Files.exists(fetched.resolve(part)));
  }

  @Test
  void aDryRunAndARefusal() {
    DryRun run = client.dryRun(LENET.with("/training/epochs", 2));
    assertEquals(2, run.epochs());
    assertTrue(run.memory().bytes() > 0);
    assertEquals(Optional.empty(), run.time());
    assertTrue(client.versions().containsKey("halfcell"), () -> client.versions().toString());
    ProblemException e =
        assertThrows(
            ProblemException.class,
            () -> client.submit(LENET.with("/training/steps", 3).with("/training/epochs", 2)));
    assertEquals(422, e.status());
    assertTrue(e.errors().getFirst().pointer().startsWith("/training/"), e.problem().message());
  }
}
