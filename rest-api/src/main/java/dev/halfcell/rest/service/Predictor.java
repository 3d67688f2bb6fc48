package dev.halfcell.rest.service;

import dev.halfcell.rest.job.JobId;
import dev.halfcell.rest.worker.FromWorker.Predicted;
import dev.halfcell.rest.worker.ToWorker.Predict;
import java.util.concurrent.CompletionStage;

/** Runs models of jobs, each time in a process of its own. Threads may share it. */
@FunctionalInterface
public interface Predictor {
  /**
   * Runs a model. Its process is gone when this returns or throws.
   *
   * @param job whose model it is
   * @param asked what is to be computed
   * @param bytes what the process will hold, as estimated
   * @param left is complete when nobody waits for the answer any more: the process is ended then
   * @throws RefusedException where too many run, the server ends, it takes too long or too much, or
   *     the model cannot be run
   */
  Predicted predict(JobId job, Predict asked, long bytes, CompletionStage<Void> left);
}
