package dev.halfcell.rest.store;

import dev.halfcell.rest.job.JobSummary;
import java.util.List;
import java.util.Optional;

/**
 * A page of jobs.
 *
 * @param next the cursor of the page behind it, where there is more
 */
public record JobPage(List<JobSummary> jobs, Optional<String> next) {
  public JobPage {
    jobs = List.copyOf(jobs);
  }
}
