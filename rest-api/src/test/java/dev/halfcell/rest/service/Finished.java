package dev.halfcell.rest.service;

import dev.halfcell.rest.job.Description;
import dev.halfcell.rest.job.JobAction;
import dev.halfcell.rest.job.JobId;
import dev.halfcell.rest.job.Origin;
import dev.halfcell.rest.job.StatusReason;
import dev.halfcell.rest.store.AcceptLimits;
import dev.halfcell.rest.store.JobStore;
import dev.halfcell.rest.store.NewJob;
import dev.halfcell.rest.store.Transition;
import java.io.IOException;
import java.nio.file.Files;
import java.security.SecureRandom;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;

/** Jobs that are over, with files. */
record Finished(JobStore store, JobFolders folders) {
  /** One that waits, of somebody, sent then. */
  JobId waiting(String owner, Instant at, Optional<Origin> from) {
    JobId id = JobId.random(new SecureRandom());
    var _ =
        store.accept(
            new NewJob(
                id,
                owner,
                Optional.empty(),
                Optional.empty(),
                new Description(Optional.empty(), Map.of(), Optional.empty(), 0, false),
                "mlp",
                "O2",
                "{}",
                "{}",
                1,
                from,
                Optional.empty(),
                at),
            new AcceptLimits(1_000_000, 1_000_000));
    return id;
  }

  /** One that was cancelled in the moment it was sent, with so many bytes of files. */
  JobId at(Instant at, int bytes) throws IOException {
    JobId id = waiting("ann", at, Optional.empty());
    var _ =
        store.apply(
            id,
            Transition.of(
                JobAction.ASK_CANCEL,
                new StatusReason(StatusReason.Code.CANCELLED_BY_REQUEST, "cancelled", at)));
    Files.createDirectories(folders.run(id).resolve("checkpoints"));
    Files.write(folders.run(id).resolve("model.safetensors"), new byte[bytes]);
    Files.writeString(folders.log(id), "");
    return id;
  }
}
