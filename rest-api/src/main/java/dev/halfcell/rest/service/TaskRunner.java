package dev.halfcell.rest.service;

import dev.halfcell.rest.job.JobId;
import dev.halfcell.rest.worker.FromWorker.Result;
import dev.halfcell.rest.worker.ToWorker.Task;
import java.util.concurrent.CompletionStage;

/** Has tasks done for jobs, each in a process of its own. Threads may share it. */
@FunctionalInterface
public interface TaskRunner {
  /**
   * Has a task done. Its process is gone when this returns or throws.
   *
   * @param job whose it is
   * @param asked what is to be done
   * @param bytes what the process will hold, as estimated
   * @param left is complete when nobody waits for the answer any more: the process is ended then
   * @throws RefusedException where the server ends, it takes too long or too much, or it cannot be
   *     done
   */
  <R extends Result> R perform(JobId job, Task<R> asked, long bytes, CompletionStage<Void> left);
}
