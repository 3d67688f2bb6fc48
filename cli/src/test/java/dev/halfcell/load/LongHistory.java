package dev.halfcell.load;

import dev.halfcell.rest.job.EventKind;
import dev.halfcell.rest.job.JobId;
import dev.halfcell.rest.store.Fence;
import dev.halfcell.rest.store.JobStore;
import dev.halfcell.rest.store.Report;
import dev.halfcell.rest.store.SqlJobStore;
import dev.halfcell.rest.store.StoreSettings;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import tools.jackson.databind.JsonNode;

/**
 * Writes events of a job into the store of a server that does not run: a worker would take many
 * minutes for as many.
 */
final class LongHistory {
  private static final int TOGETHER = 200;

  private LongHistory() {}

  /**
   * Adds notices.
   *
   * @param job one that is held by the server, as it told of it
   * @param characters of each
   */
  static void write(Path service, JsonNode job, int events, int characters) {
    String id = job.get("id").stringValue();
    JsonNode attempts = job.get("attempts");
    JsonNode attempt = attempts.get(attempts.size() - 1);
    Fence fence =
        new Fence(
            JobId.parse(id).orElseThrow(),
            attempt.get("server").stringValue(),
            attempt.get("number").intValue());
    String data = "{\"message\":\"" + "x".repeat(characters) + "\"}";
    Report.Happened one = new Report.Happened(Instant.now(), EventKind.NOTICE, data);
    List<Report.Happened> some = Collections.nCopies(TOGETHER, one);
    try (JobStore store =
        SqlJobStore.open(new StoreSettings.Sqlite(service.resolve("jobs.sqlite")))) {
      for (int written = 0; written < events; written += TOGETHER) {
        var _ =
            store
                .report(
                    fence,
                    new Report(
                        Optional.empty(), Optional.empty(), Optional.empty(), Map.of(), some))
                .orElseThrow();
      }
    }
  }
}
