package dev.halfcell.rest.http;

import dev.halfcell.rest.job.JobEvent;
import dev.halfcell.rest.job.JobId;
import java.nio.charset.StandardCharsets;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

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

  /** No event is changed, and no number given twice. */
  private record Key(JobId job, long number) {}

  /** The bytes of an event that others may want too; to be left as they are. */
  byte[] shared(JobEvent event) {
    return newest.computeIfAbsent(new Key(event.job(), event.number()), _ -> of(event));
  }

  /** The bytes of an event. */
  static byte[] of(JobEvent event) {
    return "id: %d\nevent: %s\ndata: %s\n\n"
        .formatted(event.number(), event.kind().label(), JobJson.of(event))
        .getBytes(StandardCharsets.UTF_8);
  }
}
