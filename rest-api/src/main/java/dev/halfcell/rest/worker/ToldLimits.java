package dev.halfcell.rest.worker;

import dev.halfcell.rest.job.EventKind;
import dev.halfcell.rest.job.JobProgress;
import dev.halfcell.rest.store.Report.Happened;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/** What a worker may tell at once: whatever it was led to send, the store is not flooded. */
final class ToldLimits {
  /** The most events of a message. */
  static final int EVENTS = 256;

  /** The most characters that an event's data has. */
  static final int DATA = 16 << 10;

  /** The most metrics of a message. */
  static final int METRICS = 64;

  private static final Pattern METRIC = Pattern.compile("[A-Za-z][A-Za-z0-9_.-]{0,63}");

  private ToldLimits() {}

  static void require(JobProgress progress) {
    require(
        progress.step() >= 0 && progress.fraction() >= 0 && progress.fraction() <= 1,
        "a step from 0 on, a fraction from 0 to 1");
    require(
        progress.etaSeconds().map(eta -> eta >= 0 && Double.isFinite(eta)).orElse(true),
        "etaSeconds from 0 on");
  }

  static void require(Map<String, Double> metrics) {
    require(metrics.size() <= METRICS, "at most " + METRICS + " metrics");
    metrics.forEach(
        (name, value) ->
            require(
                METRIC.matcher(name).matches() && Double.isFinite(value),
                "names of letters and digits with finite values"));
  }

  static void require(List<Happened> events) {
    require(events.size() <= EVENTS, "at most " + EVENTS + " events");
    for (Happened event : events) {
      require(event.kind() != EventKind.STATE, "no event that only the store may make");
      require(event.data().length() <= DATA, "at most " + DATA + " characters of data");
      require(Messages.isObject(event.data()), "a JSON object as data");
    }
  }

  private static void require(boolean holds, String expected) {
    if (!holds) {
      throw new IllegalArgumentException("expected " + expected);
    }
  }
}
