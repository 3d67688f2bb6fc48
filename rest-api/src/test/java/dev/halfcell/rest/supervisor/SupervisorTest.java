package dev.halfcell.rest.supervisor;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.halfcell.rest.job.EventKind;
import dev.halfcell.rest.job.Job;
import dev.halfcell.rest.job.JobId;
import dev.halfcell.rest.job.JobState;
import dev.halfcell.rest.job.StatusReason.Code;
import dev.halfcell.zoo.job.JobSpecification;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Jobs from the queue to their end, by real workers. */
final class SupervisorTest {
  @TempDir private Path folder;

  @Test
  void aJobIsTrainedToTheSameBytesAsInThisProcess() throws IOException {
    JobSpecification specification = Rig.tiny(20);
    try (Rig rig = new Rig(folder)) {
      JobId id = rig.submit(specification);
      Job job = rig.awaitEnd(id);
      assertEquals(JobState.SUCCEEDED, job.state(), () -> job + rig.log(id));
      assertEquals(Code.COMPLETED, job.summary().statusReason().code());
      assertEquals(List.of("STARTING", "RUNNING", "SUCCEEDED"), rig.states(id));
      assertEquals(20, job.summary().progress().orElseThrow().step());
      assertEquals(1, job.summary().progress().orElseThrow().fraction());
      assertTrue(job.summary().metrics().containsKey("loss"), () -> job.summary().toString());
      assertEquals(0, job.exit().orElseThrow().code().orElseThrow());
      assertTrue(
          rig.events(id).stream().anyMatch(event -> event.kind() == EventKind.STEP),
          () -> rig.events(id).toString());
      assertArrayEquals(
          Rig.modelOf(specification, folder.resolve("own")), rig.model(id));
      assertEquals(0, Rig.processes(id));
    }
  }
}
