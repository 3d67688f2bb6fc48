package dev.halfcell.rest.http;

import dev.halfcell.rest.job.Job;
import dev.halfcell.rest.job.JobEvent;
import dev.halfcell.rest.job.JobId;
import dev.halfcell.rest.job.JobSummary;
import dev.halfcell.rest.job.StatusReason;
import dev.halfcell.rest.store.Applied;
import dev.halfcell.rest.store.Claim;
import dev.halfcell.rest.store.Fence;
import dev.halfcell.rest.store.JobStore;
import dev.halfcell.rest.store.Report;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** What only those ask a store who take jobs from it. */
abstract class StoreWithoutWorkers implements JobStore {
  @Override
  public Optional<Applied.Moved> claim(Claim claim) {
    throw new UnsupportedOperationException();
  }

  @Override
  public Optional<JobSummary> waitingAbove(int priority, long totalBytes) {
    throw new UnsupportedOperationException();
  }

  @Override
  public boolean tellOfRoom(JobId id, StatusReason reason) {
    throw new UnsupportedOperationException();
  }

  @Override
  public void renew(String server, Instant leaseUntil) {
    throw new UnsupportedOperationException();
  }

  @Override
  public List<JobSummary> abandoned(String server, Instant now) {
    throw new UnsupportedOperationException();
  }

  @Override
  public List<Job> overdue(Instant now) {
    throw new UnsupportedOperationException();
  }

  @Override
  public List<Job> interrupted() {
    throw new UnsupportedOperationException();
  }

  @Override
  public Optional<List<JobEvent>> report(Fence fence, Report report) {
    throw new UnsupportedOperationException();
  }

  @Override
  public String keep(String name, String text) {
    throw new UnsupportedOperationException();
  }
}
