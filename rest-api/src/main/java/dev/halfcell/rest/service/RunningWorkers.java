package dev.halfcell.rest.service;

import dev.halfcell.rest.store.JobStore;
import java.time.Duration;

/** Workers that were started with a server and end with it. */
public interface RunningWorkers extends Workers, TaskRunner, AutoCloseable {
  /** Whether jobs are begun: not while their files are out of reach. Waits for nothing. */
  boolean ready();

  /** What can be counted of them. Waits for nothing. */
  WorkerFigures figures();

  /** Has all jobs of this server save their state and end, and gives them back to the queue. */
  void drain(Duration atMost);

  @Override
  void close();

  /** Starts them; jobs that a dead server has left are back in the queue when this returns. */
  @FunctionalInterface
  interface Factory {
    /** Starts those of a store. */
    RunningWorkers start(JobStore store, EventHub hub, JobFolders folders);
  }
}
