package dev.halfcell.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.halfcell.rest.client.HalfCellClient;
import dev.halfcell.rest.client.Job;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Lists all jobs of a server over and over, on a thread of its own, and notes what it sees. */
final class JobObserver implements AutoCloseable {
  private static final long PAUSE_MILLISECONDS = 100;

  private final SeenJobs seen = new SeenJobs();
  private final Thread thread;
  private volatile boolean over;
  private long lists;

  private JobObserver(HalfCellClient client) {
    thread = Thread.ofPlatform().unstarted(() -> look(client));
  }

  /**
   * Begins to look.
   *
   * @param client has patience with servers that are dead
   */
  static JobObserver of(HalfCellClient client) {
    JobObserver observer = new JobObserver(client);
    observer.thread.start();
    return observer;
  }

  private void look(HalfCellClient client) {
    while (!over) {
      for (Job job : KilledServiceTest.all(client)) {
        seen.see(
            new SeenJobs.Seen(
                job.id(),
                job.state(),
                job.attempt(),
                job.progress().map(Job.Progress::step).orElse(0L),
                job.revision()));
      }
      lists++;
      try {
        TimeUnit.MILLISECONDS.sleep(PAUSE_MILLISECONDS);
      } catch (InterruptedException e) {
        throw new IllegalStateException(e);
      }
    }
  }

  /** Ends it; fails where something was seen that must not be, or nothing at all. */
  void end() throws InterruptedException {
    over = true;
    thread.join();
    assertEquals(List.of(), seen.violations());
    assertTrue(lists > 0, "it saw nothing");
  }

  /** Where it was not ended: the test has failed already. */
  @Override
  public void close() {
    over = true;
  }
}
