package dev.halfcell.rest.http;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.halfcell.rest.job.JobAction;
import dev.halfcell.rest.job.JobId;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A job is asked for again and again while it trains: what is known of it is told at once. */
final class JobReadingTest {
  @TempDir private Path folder;

  @Test
  void aJobIsLookedForOnceForEachOfItsChanges() {
    try (TestServer server = TestServer.start(folder)) {
      JobId job = server.submit();
      server.move(job, JobAction.CLAIM, JobAction.BEGIN);
      String path = "/v1/jobs/" + job;
      int before = server.store().finds();
      ContractClient.Reply first = server.client().get(path).expect(200);
      assertEquals(before + 1, server.store().finds());
      ContractClient.Reply second = server.client().get(path).expect(200);
      assertEquals(before + 1, server.store().finds());
      assertEquals(first.json(), second.json());
      assertEquals(first.header("ETag"), second.header("ETag"));
      server.client().get(path, "If-None-Match", first.header("ETag")).expect(304);
      assertEquals(before + 1, server.store().finds());
      server.move(job, JobAction.COMPLETE);
      ContractClient.Reply ended = server.client().get(path).expect(200);
      assertEquals("SUCCEEDED", ended.json().get("state").stringValue());
      assertEquals(before + 2, server.store().finds());
    }
  }

  /** Its place in the queue changes with every move of another one. */
  @Test
  void aJobThatWaitsIsLookedForEachTime() {
    try (TestServer server = TestServer.start(folder)) {
      String path = "/v1/jobs/" + server.submit();
      server.client().get(path).expect(200);
      int before = server.store().finds();
      server.client().get(path).expect(200);
      assertEquals(before + 1, server.store().finds());
    }
  }
}
