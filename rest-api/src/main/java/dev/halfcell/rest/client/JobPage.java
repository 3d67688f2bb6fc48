package dev.halfcell.rest.client;

import java.util.List;
import java.util.Optional;

/**
 * Some jobs of a list.
 *
 * @param jobs in their order
 * @param next what to ask for the next page with, where there is one
 */
public record JobPage(List<Job> jobs, Optional<String> next) {
  public JobPage {
    jobs = List.copyOf(jobs);
  }
}
