package dev.halfcell.rest.service;

import dev.halfcell.rest.job.JobId;
import java.nio.file.Path;

/**
 * Where the files of jobs are. No part of a path comes from a request: an id is hexadecimal digits.
 *
 * @param root the folder of all of them, which servers may share
 */
public record JobFolders(Path root) {
  /** That of a job. */
  public Path of(JobId job) {
    return root.resolve(job.text().substring(0, 2)).resolve(job.text());
  }

  /** What its training writes into: a {@link dev.halfcell.zoo.run.RunFolder}. */
  public Path run(JobId job) {
    return of(job).resolve("run");
  }

  /** What its workers print, one after the other. */
  public Path log(JobId job) {
    return of(job).resolve("worker.log");
  }
}
