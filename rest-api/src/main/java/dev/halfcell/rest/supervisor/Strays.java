package dev.halfcell.rest.supervisor;

import dev.halfcell.rest.job.JobId;
import dev.halfcell.rest.worker.WorkerProcess;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * Ends workers whose server is gone. They end by themselves when their connection closes; one that
 * hangs does not, and must not train beside the next one.
 */
record Strays(Processes processes, Signals signals) {
  /** The variable that holds the process of the server that started a worker. */
  static final String SERVER = "HALFCELL_SERVER_PID";

  private static final Duration PATIENCE = Duration.ofSeconds(2);
  private static final long PAUSE = 5;

  /**
   * Kills those of certain jobs, and returns when they are gone.
   *
   * @return how many there were
   */
  int kill(Predicate<JobId> ours) {
    List<Long> found = processes.all().stream().filter(pid -> isStray(pid, ours)).toList();
    found.forEach(pid -> signals.toProcess(pid, Signals.KILL));
    long until = System.nanoTime() + PATIENCE.toNanos();
    while (System.nanoTime() < until
        && found.stream().anyMatch(pid -> processes.environment(pid).containsKey(SERVER))) {
      pause();
    }
    return found.size();
  }

  private static void pause() {
    try {
      Thread.sleep(PAUSE);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Who was born of a server that died has another parent now. */
  private boolean isStray(long pid, Predicate<JobId> ours) {
    Map<String, String> environment = processes.environment(pid);
    Optional<JobId> job =
        Optional.ofNullable(environment.get(WorkerProcess.JOB)).flatMap(JobId::parse);
    return job.isPresent()
        && environment.containsKey(SERVER)
        && processes.parent(pid).isPresent()
        && !environment.get(SERVER).equals(String.valueOf(processes.parent(pid).orElse(-1)))
        && ours.test(job.get());
  }
}
