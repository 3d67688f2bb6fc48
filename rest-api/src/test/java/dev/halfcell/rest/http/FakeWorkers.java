package dev.halfcell.rest.http;

import dev.halfcell.rest.job.JobId;
import dev.halfcell.rest.service.RunningWorkers;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** Workers that do nothing but remember what they were told. */
final class FakeWorkers implements RunningWorkers {
  private final List<String> told = new CopyOnWriteArrayList<>();

  private volatile Runnable whileDraining = () -> {};

  /** What happens while the server ends and still answers. */
  void whileDraining(Runnable what) {
    whileDraining = what;
  }

  List<String> told() {
    return told;
  }

  @Override
  public void queueChanged() {
    told.add("queue");
  }

  @Override
  public void stop(JobId job, Stop why) {
    told.add(why + " " + job);
  }

  @Override
  public void drain(Duration atMost) {
    told.add("drain");
    Runnable what = whileDraining;
    whileDraining = () -> {};
    what.run();
  }

  @Override
  public void close() {}
}
