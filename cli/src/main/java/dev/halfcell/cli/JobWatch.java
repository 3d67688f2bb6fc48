package dev.halfcell.cli;

import dev.halfcell.cli.progress.JobProgress;
import dev.halfcell.cli.progress.JobTold;
import dev.halfcell.cli.text.Figures;
import dev.halfcell.cli.text.Printable;
import dev.halfcell.rest.client.ClientException;
import dev.halfcell.rest.client.Event;
import dev.halfcell.rest.client.HalfCellClient;
import dev.halfcell.rest.client.Job;
import dev.halfcell.rest.client.JobEvents;
import dev.halfcell.rest.job.JobState;
import java.util.Optional;
import java.util.concurrent.Callable;

/** Shows what happens to a job until it is over, and gives the exit code for its outcome. */
final class JobWatch implements Callable<Integer> {
  static final String EXIT_CODES =
      "Watching ends with the job's outcome: 0 it succeeded, 1 it failed, 3 it was cancelled; or"
          + " with 4 where the server cannot be reached, and 2 where it refuses to tell.";

  private final Console console;
  private final HalfCellClient client;
  private final String id;

  JobWatch(Console console, HalfCellClient client, String id) {
    this.console = console;
    this.client = client;
    this.id = id;
  }

  @Override
  public Integer call() {
    Job first = client.job(id);
    JobState outcome = followed(first);
    Optional<Job> last = told();
    return switch (outcome) {
      case SUCCEEDED -> succeeded(last);
      case CANCELLED -> {
        console.error("job " + id + " was cancelled.");
        yield ExitCode.CANCELLED;
      }
      default -> {
        console.error("job " + id + " failed" + last.flatMap(JobWatch::why).orElse("") + ".");
        yield ExitCode.FAILURE;
      }
    };
  }

  private JobState followed(Job first) {
    String leaving =
        "job " + id + " goes on without being watched; `halfcell watch " + id + "` follows it.";
    try (LeaveNote _ = new LeaveNote(console, leaving);
        JobProgress progress = JobProgress.on(console.out(), console.terminal());
        JobEvents events = client.events(id, 0)) {
      JobTold told = new JobTold(progress, () -> client.job(id).progress(), first.progress());
      for (Optional<Event> event = events.next(); event.isPresent(); event = events.next()) {
        told.tell(event.get());
      }
      return events.outcome().orElseThrow();
    }
  }

  /**
   * The job as it is at its end. Its outcome is known; a server that has gone meanwhile is none.
   */
  private Optional<Job> told() {
    try {
      return Optional.of(client.job(id));
    } catch (ClientException e) {
      console.error("the job is over; more of it is not known: " + e.getMessage());
      return Optional.empty();
    }
  }

  private int succeeded(Optional<Job> job) {
    StringBuilder line = new StringBuilder("job " + id + " succeeded");
    job.ifPresent(
        known ->
            known
                .metrics()
                .forEach(
                    (name, value) ->
                        line.append(", ").append(name).append(' ').append(figure(value))));
    console.out().println(Printable.text(line.toString()));
    console.out().flush();
    return ExitCode.SUCCESS;
  }

  private static String figure(double value) {
    return value == Math.rint(value) ? Figures.plain(value) : Figures.fixed(value, 4);
  }

  private static Optional<String> why(Job job) {
    return job.failure()
        .map(failure -> ": " + failure.detail())
        .or(() -> Optional.of(": " + job.statusReason().message()))
        .map(text -> text.replaceAll("\\.$", ""));
  }
}
