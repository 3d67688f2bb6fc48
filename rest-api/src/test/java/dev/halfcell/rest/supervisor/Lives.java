package dev.halfcell.rest.supervisor;

import dev.halfcell.rest.job.JobId;
import dev.halfcell.rest.store.Claim;
import dev.halfcell.rest.store.JobStore;
import java.io.IOException;
import java.time.Instant;

/** What servers that were killed leave behind. */
final class Lives {
  private Lives() {}

  /** A server takes a job and is heard of no more. */
  static void claimsAndDies(JobStore store, String server) {
    var _ =
        store
            .claim(
                new Claim(
                    server,
                    Long.MAX_VALUE,
                    Long.MAX_VALUE,
                    Instant.now(),
                    Instant.now().plusSeconds(15)))
            .orElseThrow();
  }

  /** A worker that did not notice, of a server that is not its parent any more. */
  static Process stray(JobId job) throws IOException {
    ProcessBuilder builder = new ProcessBuilder("sleep", "120");
    builder.environment().put("HALFCELL_JOB", job.text());
    builder.environment().put(Strays.SERVER, "1");
    return builder.start();
  }
}
