package dev.halfcell.load;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** G15: a thousand slow clients, and one that is not. */
@Tag("slow")
final class SlowClientsTest {
  private static final int SLOW = 1_000;
  private static final double HEALTHY_PER_SECOND = 100;
  private static final long BETWEEN_MILLISECONDS = 1_000;

  @TempDir private Path folder;

  private final Goals goals = new Goals();

  @ParameterizedTest
  @EnumSource(SlowConnection.Kind.class)
  void aThousandSlowClientsHarmNobody(SlowConnection.Kind kind) throws Exception {
    try (MeasuredService service = MeasuredService.start(folder, 1, "dataset: embedded")) {
      byte[] request = KeptConnection.request("GET", "/v1/jobs");
      var _ = new Readers(service.port(), request, 2).often(Duration.ofSeconds(3));
      ServerFigures before = service.figures();
      Duration time = time(kind);
      AtomicReference<Readers.Outcome> outcome = new AtomicReference<>();
      Thread healthy =
          Thread.ofPlatform().start(() -> outcome.set(healthy(service.port(), request, time)));
      List<SlowConnection> slow = slow(kind, service.port(), time);
      healthy.join();
      tell(kind, slow, Objects.requireNonNull(outcome.get()));
      Goals.note("%s: before %s, at the end %s", kind, before, service.figures());
      for (SlowConnection each : slow) {
        each.close();
      }
      goals.atMost(
          "G15 " + kind + ", open files afterwards", 0, filesMore(service, before), "more");
    }
    goals.check();
  }

  /** The small size is long enough for the deadline of a head, not for that of a body. */
  private static Duration time(SlowConnection.Kind kind) {
    return Size.seconds(kind == SlowConnection.Kind.HEAD ? 14 : 10, 60);
  }

  private static Readers.Outcome healthy(int port, byte[] request, Duration time) {
    try {
      return new Readers(port, request, 2).steadily(HEALTHY_PER_SECOND, time);
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  private static List<SlowConnection> slow(SlowConnection.Kind kind, int port, Duration time)
      throws IOException, InterruptedException {
    List<SlowConnection> all = new ArrayList<>();
    long end = System.nanoTime() + time.toNanos();
    for (int i = 0; i < SLOW; i++) {
      all.add(SlowConnection.open(kind, port));
    }
    while (System.nanoTime() < end) {
      TimeUnit.MILLISECONDS.sleep(BETWEEN_MILLISECONDS);
      all.forEach(SlowConnection::goOn);
    }
    return all;
  }

  private void tell(SlowConnection.Kind kind, List<SlowConnection> slow, Readers.Outcome healthy) {
    goals.never("G15 " + kind + ", errors of a healthy client", healthy.failed(), healthy.errors());
    goals.atMost(
        "G15 " + kind + ", p99 of a healthy client", 200, healthy.answers().percentile(99), "ms");
    double longest = slow.stream().mapToDouble(SlowConnection::seconds).max().orElseThrow();
    long open = slow.stream().filter(each -> !each.closed()).count();
    Goals.note(
        "%s: %d of %d slow connections are open; healthy: %s",
        kind, open, slow.size(), healthy.answers());
    switch (kind) {
      case HEAD -> closed(kind, 15, longest, open);
      case BODY -> {
        if (Size.chosen() == Size.FULL) {
          closed(kind, 31, longest, open);
        }
      }
      case READ -> Goals.note("READ: the longest was open for %.1f s", longest);
    }
  }

  private void closed(SlowConnection.Kind kind, double limit, double longest, long open) {
    goals.atMost("G15 " + kind + ", slow connections closed within", limit, longest, "s");
    goals.never("G15 " + kind + ", slow connections left open", open, longest + " s");
  }

  private static double filesMore(MeasuredService service, ServerFigures before)
      throws IOException, InterruptedException {
    for (int tries = 0; tries < 100 && service.figures().files() > before.files(); tries++) {
      TimeUnit.MILLISECONDS.sleep(50);
    }
    return service.figures().files() - before.files();
  }
}
