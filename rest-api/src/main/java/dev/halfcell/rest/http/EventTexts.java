package dev.halfcell.rest.http;

import dev.halfcell.rest.job.JobEvent;
import dev.halfcell.rest.job.JobId;
import java.nio.charset.StandardCharsets;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * Events as streams send them. Hundreds may follow one job: its newest events are written once for
 * all of them. Threads may share it.
 */
final class EventTexts {
  private static final int KEPT = 256;

  private final Map<Key, byte[]> newest =
      Collections.synchronizedMap(
          new LinkedHashMap<>() {
            private static final long serialVersionUID = 1L;

            @Override
            protected boolean removeEldestEntry(Map.Entry<Key, byte[]> eldest) {
              return size() > KEPT;
            }
          });

  /** No event is changed, no number given twice, and what is told at once has no gap. */
  private record Key(JobId job, long first, long last) {}

  /** The bytes of events in a row that others may want too; to be left as they are. */
  byte[] shared(List<JobEvent> events) {
    JobEvent first = events.getFirst();
    return newest.computeIfAbsent(
        new Key(first.job(), first.number(), events.getLast().number()), _ -> of(events));
  }

  /** The bytes of events. */
  static byte[] of(List<JobEvent> events) {
    return events.stream()
        .map(EventTexts::text)
        .collect(Collectors.joining())
        .getBytes(StandardCharsets.UTF_8);
  }

  private static String text(JobEvent event) {
    return "id: %d\nevent: %s\ndata: %s\n\n"
        .formatted(event.number(), event.kind().label(), JobJson.of(event));
  }
}
