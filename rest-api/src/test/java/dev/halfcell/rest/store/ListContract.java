package dev.halfcell.rest.store;

import static dev.halfcell.rest.store.Jobs.at;
import static dev.halfcell.rest.store.Jobs.job;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.halfcell.rest.job.Description;
import dev.halfcell.rest.job.JobId;
import dev.halfcell.rest.job.JobState;
import dev.halfcell.rest.job.JobSummary;
import dev.halfcell.tensor.ArgumentException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Pages of jobs. */
abstract class ListContract extends QueueContract {
  private static final Comparator<NewJob> AGE =
      Comparator.comparing(NewJob::createdAt).thenComparing(job -> job.id().text());

  private static Comparator<NewJob> order(JobQuery.Order order) {
    return switch (order) {
      case OLDEST -> AGE;
      case NEWEST -> AGE.reversed();
      case PRIORITY ->
          Comparator.<NewJob>comparingInt(job -> -job.description().priority()).thenComparing(AGE);
    };
  }

  @ParameterizedTest
  @EnumSource
  void pagesTogetherAreTheListWhateverComesInMeanwhile(JobQuery.Order order) {
    List<NewJob> jobs = new ArrayList<>();
    for (int i = 0; i < 23; i++) {
      NewJob job = job("o", i % 3, 1, at(i / 4)); // several of the same second
      jobs.add(job);
      accept(job);
    }
    List<JobId> wanted = jobs.stream().sorted(order(order)).map(NewJob::id).toList();
    List<JobId> got = new ArrayList<>();
    Optional<String> after = Optional.empty();
    do {
      JobPage page = store().list(Jobs.all(order, after, 5));
      page.jobs().forEach(job -> got.add(job.id()));
      after = page.next();
      // before the first one in every order, so that pages counted by numbers would shift
      accept(
          job(
              "o",
              order == JobQuery.Order.PRIORITY ? 50 : 0,
              1,
              at(order == JobQuery.Order.OLDEST ? -1 : 99)));
    } while (after.isPresent());
    assertEquals(wanted, got);
  }

  @Test
  void aPageThatIsJustFullIsTheLast() {
    for (int i = 0; i < 4; i++) {
      accept(job(i));
    }
    assertEquals(
        Optional.empty(),
        store().list(Jobs.all(JobQuery.Order.NEWEST, Optional.empty(), 4)).next());
    assertTrue(
        store().list(Jobs.all(JobQuery.Order.NEWEST, Optional.empty(), 3)).next().isPresent());
    assertThrows(
        ArgumentException.class,
        () -> store().list(Jobs.all(JobQuery.Order.NEWEST, Optional.empty(), 0)));
  }

  @Test
  void filtersMustAllHold() {
    NewJob wanted =
        Jobs.described(
            job("ann", 0, 1, at(0)),
            new Description(
                Optional.empty(), Map.of("a", "1", "b", "2"), Optional.empty(), 0, false),
            "mlp",
            "O1");
    accept(wanted);
    Description half =
        new Description(Optional.empty(), Map.of("a", "1", "b", "3"), Optional.empty(), 0, false);
    accept(Jobs.described(job("ann", 0, 1, at(1)), half, "mlp", "O1"));
    accept(Jobs.described(job("ann", 0, 1, at(2)), wanted.description(), "lenet5", "O1"));
    accept(Jobs.described(job("ann", 0, 1, at(3)), wanted.description(), "mlp", "O2"));
    accept(Jobs.described(job("bob", 0, 1, at(4)), wanted.description(), "mlp", "O1"));
    JobQuery query =
        new JobQuery(
            Optional.of("ann"),
            Set.of(JobState.QUEUED, JobState.RUNNING),
            Map.of("a", "1", "b", "2"),
            Optional.of("mlp"),
            Optional.of("O1"),
            JobQuery.Order.OLDEST,
            Optional.empty(),
            10);
    assertEquals(
        List.of(wanted.id()), store().list(query).jobs().stream().map(JobSummary::id).toList());
    store()
        .describe(
            wanted.id(),
            new DescriptionChange(
                Optional.empty(),
                Optional.of(Map.of("a", "1")),
                Optional.empty(),
                Optional.empty(),
                Optional.empty()));
    assertEquals(List.of(), store().list(query).jobs());
  }

  @Test
  void cursorsOfAnotherListOrNoneAreRefused() {
    for (int i = 0; i < 4; i++) {
      accept(job(i));
    }
    String cursor =
        store().list(Jobs.all(JobQuery.Order.NEWEST, Optional.empty(), 2)).next().orElseThrow();
    List<String> forged =
        new ArrayList<>(
            List.of(
                "",
                "0",
                "next",
                "../../etc/passwd",
                "' OR 1=1 --",
                "ä",
                cursor + "A",
                cursor.substring(1),
                "A".repeat(100_000)));
    for (int i = 0; i < cursor.length(); i++) {
      forged.add(
          cursor.substring(0, i) + (cursor.charAt(i) == 'B' ? 'C' : 'B') + cursor.substring(i + 1));
    }
    for (String text : forged) {
      ArgumentException refused =
          assertThrows(
              ArgumentException.class,
              () -> store().list(Jobs.all(JobQuery.Order.NEWEST, Optional.of(text), 2)),
              text);
      assertEquals("after", refused.problem().subject());
    }
    assertThrows(
        ArgumentException.class,
        () -> store().list(Jobs.all(JobQuery.Order.OLDEST, Optional.of(cursor), 2)));
  }
}
