package dev.halfcell.rest.store;

import static dev.halfcell.rest.store.Jobs.NO_LIMITS;
import static dev.halfcell.rest.store.Jobs.at;
import static dev.halfcell.rest.store.Jobs.job;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.halfcell.rest.job.Description;
import dev.halfcell.rest.job.Job;
import dev.halfcell.rest.job.JobAction;
import dev.halfcell.rest.job.JobId;
import dev.halfcell.rest.job.JobState;
import dev.halfcell.rest.job.JobSummary;
import dev.halfcell.rest.job.Origin;
import dev.halfcell.rest.job.StatusReason;
import dev.halfcell.rest.job.StatusReason.Code;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Accepting, describing and deleting jobs. */
abstract class AcceptContract extends StoreContract {
  @Test
  void whatIsAcceptedIsFoundAsItWasSent() {
    Map<String, String> labels = new LinkedHashMap<>();
    labels.put("zebra", "1");
    labels.put("apple", "Größe \"ü\" 😀");
    NewJob plain = job("ann", 7, 123_456_789_012L, at(0));
    NewJob job =
        new NewJob(
            plain.id(),
            "ann",
            Optional.of(new NewJob.Key("k", "r")),
            Optional.of("mine"),
            new Description(Optional.of("näme"), labels, Optional.of("a\nnote"), 7, true),
            "mlp",
            "O3",
            "{\"sent\" : 1}",
            "{\"resolved\":1}",
            123_456_789_012L,
            Optional.of(new Origin(JobId.random(new SecureRandom()), "step-4", 4)),
            Optional.of("ab".repeat(16)),
            at(0));
    Job accepted = accept(job);
    assertEquals(accepted, there(job.id()));
    assertEquals(
        List.of("zebra", "apple"), List.copyOf(accepted.summary().description().labels().keySet()));
    assertEquals(JobState.QUEUED, accepted.state());
    assertEquals(StatusReason.Code.WAITING_FOR_WORKER, accepted.summary().statusReason().code());
    assertEquals("{\"sent\" : 1}", accepted.specification());
    assertEquals(job.createdAt(), accepted.summary().createdAt());
    assertEquals(job.resumedFrom(), accepted.summary().resumedFrom());
    assertEquals(job.trace(), accepted.summary().trace());
    assertEquals(List.of(), store().events(job.id(), 0, 10));
    assertEquals(1, store().oldestEvent(job.id()));
    assertEquals(Optional.empty(), store().find(JobId.random(new SecureRandom())));
  }

  @Test
  void sameKeyAndRequestIsTheFirstJobAgainAndAnotherRequestIsNot() {
    Job first = accept(Jobs.keyed(job(0), "key", "request"));
    Acceptance again = store().accept(Jobs.keyed(job(1), "key", "request"), new AcceptLimits(0, 0));
    assertEquals(new Acceptance.Replayed(first), again);
    assertEquals(
        new Acceptance.KeyReused(first.id()),
        store().accept(Jobs.keyed(job(2), "key", "other"), NO_LIMITS));
    accept(Jobs.keyed(job("ann", 0, 1, at(3)), "key", "other"));
    assertEquals(2, store().counts().get("QUEUED"));
  }

  @Test
  void keysHoldForADay() {
    Job first = accept(Jobs.keyed(job(0), "key", "request"));
    assertEquals(Optional.of(first.id()), store().keyed("local", "key"));
    assertEquals(Optional.empty(), store().keyed("ann", "key"));
    now.set(at(0).plus(Duration.ofHours(24)).minusNanos(1));
    assertEquals(Optional.of(first.id()), store().keyed("local", "key"));
    now.set(at(0).plus(Duration.ofHours(24)));
    assertEquals(Optional.empty(), store().keyed("local", "key"));
    Job second = accept(Jobs.keyed(job(24 * 3600), "key", "request"));
    assertEquals(Optional.of(second.id()), store().keyed("local", "key"));
  }

  @Test
  void anExternalIdIsOneJobOfItsOwner() {
    Job first = accept(Jobs.named(job(0), "x"));
    assertEquals(
        new Acceptance.ExternalIdTaken(first.id()),
        store().accept(Jobs.named(job(1), "x"), NO_LIMITS));
    accept(Jobs.named(job("ann", 0, 1, at(2)), "x"));
  }

  @Test
  void whatIsFullTakesNothing() {
    accept(job(0));
    accept(job("ann", 0, 1, at(1)));
    assertEquals(new Acceptance.QueueFull(2, 2), store().accept(job(2), new AcceptLimits(2, 9)));
    assertEquals(new Acceptance.QuotaReached(1, 1), store().accept(job(2), new AcceptLimits(9, 1)));
    claimed("s", 3); // the queue has one less, its owner as many
    assertEquals(new Acceptance.QuotaReached(1, 1), store().accept(job(4), new AcceptLimits(2, 1)));
    assertInstanceOf(
        Acceptance.Accepted.class, store().accept(job("bob", 0, 1, at(5)), new AcceptLimits(2, 1)));
  }

  @Test
  void ofSeveralThatBelongTogetherAllAreTakenOrNone() {
    accept(job(0));
    List<NewJob> three = List.of(job(1), job(2), job(3));
    assertEquals(
        List.of(new Acceptance.QueueFull(1, 3)), store().acceptAll(three, new AcceptLimits(3, 9)));
    assertEquals(
        List.of(new Acceptance.QuotaReached(1, 3)),
        store().acceptAll(three, new AcceptLimits(9, 3)));
    assertEquals(
        List.of(new Acceptance.KeyReused(accept(Jobs.keyed(job(4), "k", "r")).id())),
        store().acceptAll(List.of(job(1), Jobs.keyed(job(2), "k", "other")), NO_LIMITS));
    assertEquals(2, store().counts().get("QUEUED"));
    assertEquals(0, store().counts().get("CANCELLED"));
    List<Acceptance> all = store().acceptAll(three, new AcceptLimits(5, 5));
    assertEquals(three.stream().map(one -> new Acceptance.Accepted(there(one.id()))).toList(), all);
  }

  @Test
  void whatWasTakenTogetherIsReplayedInAFullQueue() {
    List<NewJob> two = List.of(Jobs.keyed(job(0), "k 0", "r"), Jobs.keyed(job(0), "k 1", "r"));
    store().acceptAll(two, NO_LIMITS).forEach(one -> assertAccepted(one));
    List<NewJob> again = List.of(Jobs.keyed(job(1), "k 0", "r"), Jobs.keyed(job(1), "k 1", "r"));
    assertEquals(
        two.stream().map(one -> new Acceptance.Replayed(there(one.id()))).toList(),
        store().acceptAll(again, new AcceptLimits(0, 0)));
  }

  private static void assertAccepted(Acceptance acceptance) {
    assertInstanceOf(Acceptance.Accepted.class, acceptance);
  }

  @Test
  void manyThatBelongTogetherAreNeverHalfThere() throws Exception {
    List<List<Acceptance>> all =
        together(
            12, i -> store().acceptAll(List.of(job(i), job(i), job(i)), new AcceptLimits(10, 100)));
    assertEquals(3, all.stream().filter(each -> each.size() == 3).count());
    assertEquals(9, store().counts().get("QUEUED"));
  }

  @Test
  void capsHoldForManyAtOnce() throws Exception {
    List<Acceptance> all =
        together(16, i -> store().accept(job("o" + i % 2, 0, 1, at(i)), new AcceptLimits(10, 6)));
    assertEquals(10, all.stream().filter(a -> a instanceof Acceptance.Accepted).count());
    assertEquals(10, store().counts().get("QUEUED"));
  }

  @Test
  void oneKeySentByManyAtOnceIsOneJob() throws Exception {
    List<Acceptance> all =
        together(16, i -> store().accept(Jobs.keyed(job(i), "key", "request"), NO_LIMITS));
    assertEquals(1, all.stream().filter(a -> a instanceof Acceptance.Accepted).count());
    assertEquals(15, all.stream().filter(a -> a instanceof Acceptance.Replayed).count());
  }

  static <T> List<T> together(int threads, java.util.function.IntFunction<T> work)
      throws Exception {
    try (ExecutorService executor = Executors.newFixedThreadPool(threads)) {
      List<Callable<T>> calls =
          IntStream.range(0, threads).<Callable<T>>mapToObj(i -> () -> work.apply(i)).toList();
      List<T> results = new java.util.ArrayList<>();
      for (Future<T> future : executor.invokeAll(calls)) {
        results.add(future.get());
      }
      return results;
    }
  }

  @Test
  void descriptionsChangeWhereSomethingIsSaid() {
    Job job = accept(job(0));
    Job changed =
        store()
            .describe(
                job.id(),
                new DescriptionChange(
                    Optional.empty(),
                    Optional.of(Map.of("team", "a")),
                    Optional.of("notes"),
                    Optional.of(9),
                    Optional.of(true)))
            .orElseThrow();
    assertEquals(
        new Description(Optional.of("a job"), Map.of("team", "a"), Optional.of("notes"), 9, true),
        changed.summary().description());
    assertEquals(job.summary().revision() + 1, changed.summary().revision());
    assertEquals(changed, there(job.id()));
    DescriptionChange nothing =
        new DescriptionChange(
            Optional.empty(),
            Optional.empty(),
            Optional.empty(),
            Optional.empty(),
            Optional.empty());
    assertEquals(Optional.of(changed), store().describe(job.id(), nothing));
    Job unsaid =
        store()
            .describe(
                job.id(),
                new DescriptionChange(
                    Optional.of(""),
                    Optional.of(Map.of()),
                    Optional.of(""),
                    Optional.empty(),
                    Optional.empty()))
            .orElseThrow();
    assertEquals(
        new Description(Optional.empty(), Map.of(), Optional.empty(), 9, true),
        unsaid.summary().description());
    assertEquals(Optional.empty(), store().describe(JobId.random(new SecureRandom()), nothing));
  }

  @Test
  void whatAnotherJobGoesOnFromIsNotDeletedUntilThatIsOver() {
    Job first = accept(job(0));
    cancel(first, 1);
    Job second = accept(Jobs.from(job(2), new Origin(first.id(), "step-1", 1)));
    assertFalse(store().delete(first.id()));
    cancel(second, 3);
    assertTrue(store().delete(first.id()));
  }

  @Test
  void theJobThatGoesOnIsFoundUntilItIsDead() {
    Job first = accept(job(0));
    Origin from = new Origin(first.id(), "step-1", 1);
    assertEquals(Optional.empty(), store().successor(from));
    Job second = accept(Jobs.from(job(2), from));
    Job elsewhere = accept(Jobs.from(job(3), new Origin(first.id(), "step-2", 2)));
    assertEquals(Optional.of(second.id()), store().successor(from).map(Job::id));
    cancel(second, 4);
    assertEquals(Optional.empty(), store().successor(from));
    Job third = accept(Jobs.from(job(5), from));
    assertEquals(Optional.of(third.id()), store().successor(from).map(Job::id));
    assertEquals(
        Optional.of(elsewhere.id()),
        store().successor(new Origin(first.id(), "step-2", 2)).map(Job::id));
  }

  private void cancel(Job job, int second) {
    store()
        .apply(
            job.id(),
            Jobs.does(JobAction.ASK_CANCEL, StatusReason.Code.CANCELLED_BY_REQUEST, second));
  }

  @Test
  void onlyWhatIsOverIsDeletedAndThenWholly() {
    Job job = accept(Jobs.named(Jobs.keyed(job(0), "key", "request"), "x"));
    assertFalse(store().delete(job.id()));
    claimed("s", 1);
    assertFalse(store().delete(job.id()));
    store().apply(job.id(), Jobs.does(JobAction.ASK_CANCEL, StatusReason.Code.CANCELLING, 2));
    assertFalse(store().delete(job.id()));
    store().apply(job.id(), Jobs.does(JobAction.PAUSE, StatusReason.Code.CANCELLED_BY_REQUEST, 3));
    assertTrue(store().delete(job.id()));
    assertFalse(store().delete(job.id()));
    assertEquals(Optional.empty(), store().find(job.id()));
    assertEquals(Optional.empty(), store().keyed("local", "key"));
    assertEquals(List.of(), store().events(job.id(), 0, 10));
    assertEquals(
        new Applied.Missing(),
        store().apply(job.id(), Jobs.does(JobAction.FAIL, StatusReason.Code.QUEUE_TIMEOUT, 4)));
    accept(Jobs.named(Jobs.keyed(job(5), "key", "request"), "x"));
  }

  private Job cancelled(NewJob sent) {
    Job job = accept(sent);
    store().apply(job.id(), Jobs.does(JobAction.ASK_CANCEL, Code.CANCELLED_BY_REQUEST, 1));
    return job;
  }

  @Test
  void whatIsPinnedOrStillWantedIsNotDeletedForItsAge() {
    Job old = cancelled(job(0));
    Job pinned = cancelled(job(0));
    pin(pinned.id(), true);
    assertFalse(store().deleteUnpinned(accept(job(0)).id()));
    assertFalse(store().deleteUnpinned(pinned.id()));
    pin(pinned.id(), false);
    assertTrue(store().deleteUnpinned(pinned.id()));
    assertFalse(store().deleteUnpinned(pinned.id()));
    Job next = accept(Jobs.from(job(2), new Origin(old.id(), "step-1", 1)));
    assertFalse(store().deleteUnpinned(old.id()));
    store().apply(next.id(), Jobs.does(JobAction.ASK_CANCEL, Code.CANCELLED_BY_REQUEST, 3));
    assertTrue(store().deleteUnpinned(old.id()));
    assertEquals(Optional.empty(), store().find(old.id()));
  }

  private void pin(JobId job, boolean now) {
    var _ =
        store()
            .describe(
                job,
                new DescriptionChange(
                    Optional.empty(),
                    Optional.empty(),
                    Optional.empty(),
                    Optional.empty(),
                    Optional.of(now)));
  }

  @Test
  void aJobOfAnEarlierVersionHasNoTrace() throws Damage {
    JobSummary summary = accept(job(0)).summary();
    String text = Json.write(summary);
    assertTrue(text.contains(",\"trace\":null"), text);
    assertEquals(summary, Json.read(text.replace(",\"trace\":null", ""), JobSummary.class));
  }
}
