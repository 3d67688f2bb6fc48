package dev.halfcell.cli;

import dev.halfcell.rest.job.JobState;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Looks at jobs again and again while all is killed about them: nobody may see that one goes on
 * after its end, or goes back (I4 of the project's design). Threads may share it; but of one job,
 * one of them has to see it in the order in which it was asked.
 */
public final class SeenJobs {
  private final Map<String, Seen> seen = new HashMap<>();
  private final List<String> violations = new ArrayList<>();

  /** One that has seen none. */
  public SeenJobs() {}

  /**
   * What was seen of a job.
   *
   * @param id of the job
   * @param step the steps it has behind it, 0 before it said
   */
  public record Seen(String id, JobState state, long attempt, long step, long revision) {}

  /** A job was read. */
  public synchronized void see(Seen now) {
    Seen before = seen.put(now.id(), now);
    if (before == null) {
      return;
    }
    if (before.state().terminal() && now.state() != before.state()) {
      violated("went on after its end", before, now);
    }
    if (now.attempt() < before.attempt() || now.revision() < before.revision()) {
      violated("went back", before, now);
    }
    if (now.attempt() == before.attempt() && now.step() < before.step()) {
      violated("went back in an attempt", before, now);
    }
  }

  private void violated(String what, Seen before, Seen now) {
    violations.add("a job " + what + ": " + before + ", then " + now);
  }

  /** What nobody should have seen. */
  public synchronized List<String> violations() {
    return List.copyOf(violations);
  }
}
