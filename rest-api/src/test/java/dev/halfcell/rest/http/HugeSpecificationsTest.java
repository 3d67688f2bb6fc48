package dev.halfcell.rest.http;

import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.management.ThreadMXBean;
import dev.halfcell.rest.service.Admission;
import dev.halfcell.rest.service.JobFolders;
import dev.halfcell.rest.service.Quotas;
import dev.halfcell.rest.service.RefusedException;
import dev.halfcell.rest.service.Submissions;
import dev.halfcell.rest.store.AcceptLimits;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Clock;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * What is far too large is refused soon, and little is taken to find out: from the body to the
 * refusal, but for HTTP itself.
 */
final class HugeSpecificationsTest {
  private static final int COUNT = 200;
  private static final long MIB = 1 << 20;
  private static final double GOAL_MILLISECONDS = 10;

  /** Other tests beside this one take their part. */
  private static final double GENEROUS_MILLISECONDS = 1_000;

  /** A network has to be traced, as far as it fits; a plan of it would take up to 1.8 GB. */
  private static final long NETWORK_BYTES = 64 * MIB;

  private static final Operation SUBMIT =
      ApiDocument.load().operations().stream()
          .filter(operation -> operation.id().equals("submitJob"))
          .findFirst()
          .orElseThrow();

  private final ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
  private final long seed = Long.getLong("halfcell.huge.seed", System.nanoTime());
  private final HugeSpecifications drawn = new HugeSpecifications(seed);
  private Admission admission;
  private Submissions submissions;
  private long counting;

  /**
   * What a refusal took.
   *
   * @param bytes beyond the body, of all that was allocated
   */
  private record Cost(String text, double milliseconds, long bytes) {
    @Override
    public String toString() {
      return String.format(
          Locale.ROOT,
          "%.1f ms, %.2f MiB for %.200s (%d characters)",
          milliseconds,
          bytes / (double) MIB,
          text,
          text.length());
    }
  }

  @BeforeEach
  void open() {
    System.out.println("huge specifications: -Dhalfcell.huge.seed=" + seed);
    FakeStore store = new FakeStore();
    List<Long> before = countingThreads();
    admission = new Admission(new Admission.Limits(1L << 30, 4L << 30));
    submissions =
        new Submissions(
            store,
            new FakeWorkers(),
            admission,
            new Quotas(Quotas.Limits.none(), store, new JobFolders(Path.of("none")), admission),
            new AcceptLimits(1, 1),
            Clock.systemUTC());
    submissions.admit(submissions.specification("{\"network\":{\"name\":\"lenet5\"}}", ""));
    counting =
        countingThreads().stream().filter(id -> !before.contains(id)).findFirst().orElseThrow();
  }

  @AfterEach
  void close() {
    admission.close();
  }

  /** Admission counts on a thread of its own. */
  private static List<Long> countingThreads() {
    return Thread.getAllStackTraces().keySet().stream()
        .filter(thread -> thread.getName().equals("halfcell-admission"))
        .map(Thread::threadId)
        .toList();
  }

  private long allocated() {
    return threads.getCurrentThreadAllocatedBytes() + threads.getThreadAllocatedBytes(counting);
  }

  private Cost refused(String text) {
    long bytes = allocated();
    long began = System.nanoTime();
    assertTrue(isRefused(text), text);
    double milliseconds = (System.nanoTime() - began) / 1e6;
    long body = text.getBytes(StandardCharsets.UTF_8).length;
    return new Cost(text, milliseconds, allocated() - bytes - body);
  }

  private boolean isRefused(String text) {
    try {
      BodyCheck.read(SUBMIT, text);
      submissions.admit(submissions.specification(text, ""));
      return false;
    } catch (Refusal refusal) {
      return refusal.kind() == ProblemKind.INVALID;
    } catch (RefusedException refused) {
      return refused.kind() == RefusedException.Kind.INVALID;
    }
  }

  private List<Cost> refused(Supplier<String> next, int count) {
    return Stream.generate(next).limit(count).map(this::refused).toList();
  }

  private static double median(List<Cost> costs) {
    return costs.stream()
        .mapToDouble(Cost::milliseconds)
        .sorted()
        .skip(costs.size() / 2)
        .findFirst()
        .orElseThrow();
  }

  private static Cost largest(List<Cost> costs) {
    return Collections.max(costs, Comparator.comparingLong(Cost::bytes));
  }

  private static void assertAtMost(long bytes, List<Cost> costs) {
    Cost largest = largest(costs);
    assertTrue(largest.bytes() <= bytes, () -> bytes + " bytes: " + largest);
  }

  /** Classes are loaded by the first; how long the others take is not held to more than a hang. */
  @Test
  void aNumberThatIsFarTooLargeCostsLittle() {
    refused(drawn::number, 20);
    List<Cost> costs = refused(drawn::number, COUNT);
    assertAtMost(MIB, costs);
    assertTrue(median(costs) < GENEROUS_MILLISECONDS, () -> median(costs) + " ms");
  }

  @Test
  void aNetworkThatIsFarTooLargeIsNotPlanned() {
    refused(drawn::network, 5);
    List<Cost> costs = refused(drawn::network, COUNT / 4);
    assertAtMost(NETWORK_BYTES, costs);
    assertTrue(median(costs) < GENEROUS_MILLISECONDS, () -> median(costs) + " ms");
  }

  /** Numbers and networks by turns, with all compiled. */
  @Test
  @Tag("slow")
  void refusalsTakeMilliseconds() {
    Supplier<String> either = drawn::either;
    refused(either, 5 * COUNT);
    List<Cost> costs = refused(either, COUNT);
    double median = median(costs);
    System.out.printf(
        Locale.ROOT,
        "goal | huge specifications, median refusal | <= %.0f ms | %.2f ms | %s%n",
        GOAL_MILLISECONDS,
        median,
        median <= GOAL_MILLISECONDS ? "met" : "not met");
    System.out.printf(
        "note | slowest: %s; %d of %d took more than 1 MiB, most: %s%n",
        Collections.max(costs, Comparator.comparingDouble(Cost::milliseconds)),
        costs.stream().filter(cost -> cost.bytes() > MIB).count(),
        COUNT,
        largest(costs));
    assertTrue(median <= GOAL_MILLISECONDS, () -> median + " ms");
  }
}
