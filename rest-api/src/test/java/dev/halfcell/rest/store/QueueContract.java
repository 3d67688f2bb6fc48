package dev.halfcell.rest.store;

import static dev.halfcell.rest.store.Jobs.at;
import static dev.halfcell.rest.store.Jobs.does;
import static dev.halfcell.rest.store.Jobs.job;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.halfcell.rest.job.Job;
import dev.halfcell.rest.job.JobAction;
import dev.halfcell.rest.job.JobId;
import dev.halfcell.rest.job.JobState;
import dev.halfcell.rest.job.JobSummary;
import dev.halfcell.rest.job.StatusReason;
import dev.halfcell.rest.job.StatusReason.Code;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Who takes which job, and who holds it. */
abstract class QueueContract extends MoveContract {
  @Test
  void thePriorityGoesFirstThenWhoHoldsFewestThenTheOldest() {
    NewJob ann1 = job("ann", 0, 1, at(1));
    NewJob ann2 = job("ann", 0, 1, at(2));
    NewJob ann3 = job("ann", 0, 1, at(3));
    NewJob bob1 = job("bob", 0, 1, at(4));
    NewJob bob2 = job("bob", 0, 1, at(5));
    NewJob high = job("ann", 5, 1, at(6));
    List.of(bob2, ann3, ann2, high, bob1, ann1).forEach(this::accept);
    List<JobId> taken = new ArrayList<>();
    for (int i = 0; i < 6; i++) {
      taken.add(claimed("s", 10 + i).id());
    }
    assertEquals(List.of(high.id(), bob1.id(), ann1.id(), bob2.id(), ann2.id(), ann3.id()), taken);
    assertEquals(Optional.empty(), store().claim(Jobs.claim("s", 20)));
  }

  @Test
  void theQueueIsToldAsItWouldBeTakenAndWhoIsNextAboveAPriority() {
    NewJob ann1 = job("ann", 0, 1, at(1));
    NewJob ann2 = job("ann", 0, 1, at(2));
    NewJob bob = job("bob", 0, 1, at(3));
    NewJob high = job("ann", 5, 1, at(4));
    List.of(ann1, ann2, bob).forEach(this::accept);
    assertEquals(List.of(ann1.id(), ann2.id(), bob.id()), store().queue());
    assertEquals(ann1.id(), claimed("s", 5).id());
    assertEquals(List.of(bob.id(), ann2.id()), store().queue());
    assertEquals(Optional.empty(), store().waitingAbove(0, Long.MAX_VALUE));
    assertEquals(
        Optional.of(bob.id()), store().waitingAbove(-1, Long.MAX_VALUE).map(JobSummary::id));
    accept(high);
    assertEquals(List.of(high.id(), bob.id(), ann2.id()), store().queue());
    assertEquals(
        Optional.of(high.id()), store().waitingAbove(4, Long.MAX_VALUE).map(JobSummary::id));
    assertEquals(Optional.empty(), store().waitingAbove(5, Long.MAX_VALUE));
  }

  private static StatusReason room(int second) {
    return new StatusReason(Code.MAKING_ROOM, "room is made", at(second));
  }

  @Test
  void oneServerAMinuteMakesRoomForAJobAndItSaysSoUntilThen() {
    NewJob large = job("ann", 1, 3 << 20, at(0));
    accept(large);
    Claim small = new Claim("s", 2 << 20, Long.MAX_VALUE, at(1), at(16));
    assertEquals(Optional.empty(), store().claim(small));
    assertTrue(store().tellOfRoom(large.id(), room(2)));
    assertFalse(store().tellOfRoom(large.id(), room(61)));
    assertEquals(
        Optional.empty(), store().claim(new Claim("s", 2 << 20, Long.MAX_VALUE, at(61), at(76))));
    assertEquals(room(2), there(large.id()).summary().statusReason());
    assertTrue(store().tellOfRoom(large.id(), room(62)));
    assertEquals(
        Optional.empty(), store().claim(new Claim("s", 2 << 20, Long.MAX_VALUE, at(122), at(140))));
    assertEquals(Code.WAITING_FOR_MEMORY, there(large.id()).summary().statusReason().code());
    assertTrue(
        store().claim(new Claim("s", 3 << 20, Long.MAX_VALUE, at(123), at(140))).isPresent());
    assertFalse(store().tellOfRoom(large.id(), room(999)), "it does not wait any more");
  }

  @Tag("Ray-55133")
  @Tag("Ray-31008")
  @Test
  void whatDoesNotFitWaitsAtTheHeadAndSaysSo() {
    NewJob large = job("ann", 1, 3 << 20, at(0));
    accept(large);
    accept(job("bob", 0, 1, at(1)));
    Claim small = new Claim("s", 2 << 20, Long.MAX_VALUE, at(2), at(17));
    assertEquals(Optional.empty(), store().claim(small));
    JobSummary waiting = there(large.id()).summary();
    assertEquals(JobState.QUEUED, waiting.state());
    assertEquals(Code.WAITING_FOR_MEMORY, waiting.statusReason().code());
    assertEquals(
        "It needs 3.0 MiB of memory, and 2.0 MiB are free.", waiting.statusReason().message());
    assertEquals(at(2), waiting.statusReason().since());
    assertEquals(
        Optional.empty(), store().claim(new Claim("s", 2 << 20, Long.MAX_VALUE, at(3), at(18))));
    assertEquals(waiting, there(large.id()).summary());
    assertEquals(
        Optional.empty(), store().claim(new Claim("s", 1 << 20, Long.MAX_VALUE, at(4), at(19))));
    JobSummary still = there(large.id()).summary();
    assertTrue(still.statusReason().message().contains("1.0 MiB are free"));
    assertEquals(at(2), still.statusReason().since());
    assertEquals(waiting.revision() + 1, still.revision());
    assertEquals(
        large.id(),
        store()
            .claim(new Claim("s", 3 << 20, Long.MAX_VALUE, at(5), at(20)))
            .orElseThrow()
            .job()
            .id());
  }

  @Test
  void whatIsTooLargeForAServerDoesNotStandBeforeOthersThere() {
    NewJob large = job("ann", 2, 3 << 20, at(0));
    NewJob larger = job("ann", 1, 4 << 20, at(1));
    NewJob small = job("bob", 0, 1 << 20, at(2));
    List.of(large, larger, small).forEach(this::accept);
    assertEquals(Optional.of(small.id()), store().waitingAbove(-1, 2 << 20).map(JobSummary::id));
    assertEquals(Optional.empty(), store().waitingAbove(0, 2 << 20));
    Claim ofSmall = new Claim("s", 2 << 20, 2 << 20, at(3), at(18));
    assertEquals(small.id(), store().claim(ofSmall).orElseThrow().job().id());
    for (NewJob each : List.of(large, larger)) {
      StatusReason told = there(each.id()).summary().statusReason();
      assertEquals(Code.WAITING_FOR_MEMORY, told.code());
      assertTrue(
          told.message()
              .endsWith(" and a server has 2.0 MiB for all jobs. A larger one has to take it."),
          told.message());
    }
    JobSummary waiting = there(large.id()).summary();
    assertEquals(Optional.empty(), store().claim(new Claim("s", 1, 2 << 20, at(4), at(19))));
    assertEquals(waiting, there(large.id()).summary());
    assertTrue(store().tellOfRoom(large.id(), room(4)), "a larger server makes room");
    assertEquals(Optional.empty(), store().claim(new Claim("s", 1, 2 << 20, at(4), at(19))));
    assertEquals(room(4), there(large.id()).summary().statusReason());
    Claim ofLarge = new Claim("t", 3 << 20, 8 << 20, at(5), at(20));
    assertEquals(large.id(), store().claim(ofLarge).orElseThrow().job().id());
  }

  @Test
  void aNewPriorityIsANewPlace() {
    NewJob first = job(0);
    NewJob second = job(1);
    accept(first);
    accept(second);
    store()
        .describe(
            second.id(),
            new DescriptionChange(
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                Optional.of(1),
                Optional.empty()));
    assertEquals(second.id(), claimed("s", 2).id());
  }

  @Test
  void eachJobIsTakenOnceByManyAtOnce() throws Exception {
    int jobs = 500;
    together(
        10,
        thread -> {
          for (int i = thread; i < jobs; i += 10) {
            accept(job("o" + i % 7, i % 3, 1, at(i)));
          }
          return true;
        });
    List<List<Job>> taken =
        together(
            8,
            thread -> {
              List<Job> mine = new ArrayList<>();
              Optional<Job> job = take("s" + thread);
              while (job.isPresent()) {
                mine.add(job.get());
                job = take("s" + thread);
              }
              return mine;
            });
    Set<JobId> once = new HashSet<>();
    for (int thread = 0; thread < 8; thread++) {
      for (Job job : taken.get(thread)) {
        assertTrue(once.add(job.id()), () -> "taken twice: " + job.id());
        assertEquals(1, job.summary().attempt());
        assertEquals("s" + thread, job.attempts().getFirst().server());
      }
    }
    assertEquals(jobs, once.size());
    assertEquals(jobs, store().counts().get("STARTING"));
  }

  private Optional<Job> take(String server) {
    return store().claim(Jobs.claim(server, 1000)).map(Applied.Moved::job);
  }

  @Test
  void aClaimTellsOfItsEvent() {
    NewJob job = job(0);
    accept(job);
    Applied.Moved claimed = store().claim(Jobs.claim("s", 1)).orElseThrow();
    assertEquals(store().events(job.id(), 0, 10), List.of(claimed.event()));
    assertEquals(there(job.id()), claimed.job());
  }

  @Test
  void leasesEndUnlessTheyAreRenewed() {
    accept(job(0));
    accept(job(1));
    Job mine = claimed("s", 10); // until 25
    Job other = claimed("t", 11); // until 26
    assertEquals(List.of(), store().abandoned("u", at(24)));
    assertEquals(List.of(mine.summary()), store().abandoned("u", at(25)));
    assertEquals(List.of(mine.summary(), other.summary()), store().abandoned("u", at(26)));
    store().renew("s", at(40));
    store().renew("s", at(30)); // never shorter
    assertEquals(List.of(other.summary()), store().abandoned("u", at(39)));
    assertEquals(List.of(mine.summary()), store().abandoned("s", at(12)));
    store().apply(mine.id(), does(JobAction.LOSE, Code.SERVER_LOST, 41));
    assertEquals(List.of(other.summary()), store().abandoned("s", at(99)));
    store().apply(other.id(), does(JobAction.ASK_CANCEL, Code.CANCELLING, 42));
    assertEquals(
        List.of(other.id()), store().abandoned("t", at(12)).stream().map(JobSummary::id).toList());
  }

  /** One that waits for so many seconds at the most. */
  private static NewJob impatient(int seconds, int createdAt) {
    NewJob job = job(createdAt);
    return new NewJob(
        job.id(),
        job.owner(),
        job.key(),
        job.externalId(),
        job.description(),
        job.network(),
        job.level(),
        job.specification(),
        "{\"network\":{\"name\":\"lenet5\"},\"queueTimeout\":" + seconds + "}",
        job.estimatedBytes(),
        job.resumedFrom(),
        job.trace(),
        job.createdAt());
  }

  private List<JobId> overdue(int second) {
    return store().overdue(at(second)).stream().map(Job::id).toList();
  }

  @Test
  void whoWaitsTooLongIsToldBySinceWhenItWaitsAndNotByWhy() {
    NewJob impatient = impatient(10, 1);
    accept(impatient);
    accept(impatient(100, 2));
    accept(job(3));
    store().claim(new Claim("s", 0, Long.MAX_VALUE, at(9), at(24))); // now for memory
    assertEquals(List.of(), overdue(11));
    assertEquals(List.of(impatient.id()), overdue(12));
    assertEquals(there(impatient.id()), store().overdue(at(12)).getFirst());
    Job taken = claimed("s", 13);
    assertEquals(impatient.id(), taken.id());
    assertEquals(List.of(), overdue(99));
    store().apply(taken.id(), does(JobAction.LOSE, Code.SERVER_LOST, 20, fence(taken)));
    store().apply(taken.id(), does(JobAction.QUEUE, Code.WAITING_FOR_WORKER, 21));
    assertEquals(List.of(), overdue(31));
    assertEquals(List.of(impatient.id()), overdue(32));
  }

  @Test
  void aTextOfAStoreStaysAsItCameFirst() {
    assertEquals("one", store().keep("name", "one"));
    assertEquals("one", store().keep("name", "another"));
    assertEquals("two", store().keep("other", "two"));
  }

  @Test
  void whoIsInterruptedIsNeitherHeldNorQueuedNorOver() {
    for (int i = 0; i < 6; i++) {
      accept(job(5 - i));
    }
    Job done = running(10);
    store().apply(done.id(), does(JobAction.COMPLETE, Code.COMPLETED, 11, fence(done)));
    Job paused = running(12);
    store().apply(paused.id(), does(JobAction.PAUSE, Code.PAUSED_BY_REQUEST, 13, fence(paused)));
    Job lost = running(14);
    store().apply(lost.id(), does(JobAction.LOSE, Code.WORKER_LOST, 15, fence(lost)));
    running(16);
    assertEquals(List.of(there(lost.id())), store().interrupted());
    assertEquals(1, store().counts().get("SUCCEEDED"));
    assertEquals(0, store().counts().get("FAILED"));
    assertEquals(JobState.values().length, store().counts().size());
  }
}
