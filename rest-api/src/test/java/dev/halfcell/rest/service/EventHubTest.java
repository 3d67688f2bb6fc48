package dev.halfcell.rest.service;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.halfcell.rest.job.EventKind;
import dev.halfcell.rest.job.JobEvent;
import dev.halfcell.rest.job.JobId;
import java.security.SecureRandom;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Who follows is told all, while others come and go. */
@Timeout(60)
final class EventHubTest {
  private static final int EVENTS = 20_000;

  @Test
  void whoStaysMissesNothingWhileOthersComeAndGo() throws InterruptedException {
    EventHub hub = new EventHub();
    JobId job = JobId.random(new SecureRandom());
    AtomicLong heard = new AtomicLong();
    AtomicBoolean over = new AtomicBoolean();
    List<Thread> restless = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      restless.add(
          Thread.ofPlatform()
              .start(
                  () -> {
                    while (!over.get()) {
                      hub.follow(job, _ -> {}).close();
                    }
                  }));
    }
    for (int round = 0; round < 20; round++) {
      heard.set(0);
      try (EventHub.Subscription _ =
          hub.follow(job, events -> heard.addAndGet(events.getFirst().number()))) {
        long sum = 0;
        for (int number = 1; number <= EVENTS / 20; number++) {
          hub.publish(
              job, List.of(new JobEvent(job, number, 1, Instant.now(), EventKind.STEP, "{}")));
          sum += number;
        }
        assertEquals(sum, heard.get());
      }
    }
    over.set(true);
    for (Thread each : restless) {
      each.join();
    }
    assertEquals(0, hub.size());
  }
}
