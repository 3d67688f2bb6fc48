package dev.halfcell.rest.service;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.halfcell.zoo.job.CheckedSpecification;
import dev.halfcell.zoo.job.JobSpecification;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** What is admitted by its memory, to the byte, and what is refused with which figures. */
final class AdmissionTest {
  private static final JobSpecification JOB =
      JobSpecification.of("lenet5").with("/device", "cpu").with("/precision/level", "O2");

  private static Admission.Admitted admitted(long job, long machine, JobSpecification what) {
    try (Admission admission = new Admission(new Admission.Limits(job, machine))) {
      return admission.admit(CheckedSpecification.of(what));
    }
  }

  private static long bytes(JobSpecification what) {
    return admitted(Long.MAX_VALUE, Long.MAX_VALUE, what).memory().bytes();
  }

  private static String refused(long job, long machine, JobSpecification what) {
    RefusedException refused =
        assertThrows(RefusedException.class, () -> admitted(job, machine, what));
    assertEquals(RefusedException.Kind.INVALID, refused.kind());
    return refused.detail() + refused.errors();
  }

  @Test
  void whatFitsToTheByteIsAdmitted() {
    long bytes = bytes(JOB);
    Admission.Admitted admitted = admitted(bytes, bytes, JOB);
    assertEquals("lenet5", admitted.network());
    assertEquals("O2", admitted.level());
    assertEquals(bytes, admitted.memory().bytes());
    assertTrue(admitted.resolved().json().contains("batchSize"), "defaults are filled in");
  }

  @Test
  void aByteLessIsRefusedWithWhoseItIs() {
    long bytes = bytes(JOB);
    String machine = refused(bytes, bytes - 1, JOB);
    assertTrue(machine.contains("this machine has " + (bytes - 1) + " bytes"), machine);
    String job = refused(bytes - 1, bytes, JOB);
    assertTrue(job.contains("the limit per job is " + (bytes - 1) + " bytes"), job);
    String own = refused(bytes, bytes, JOB.with("/resources/memoryLimit", bytes - 1));
    assertTrue(own.contains("its own resources.memoryLimit is " + (bytes - 1)), own);
    long same = admitted(bytes, bytes, JOB.with("/resources/memoryLimit", bytes)).memory().bytes();
    assertEquals(bytes, same);
  }

  @Test
  void theMostIsTheSmallerLimit() {
    assertEquals(3, new Admission.Limits(3, 4).most());
    assertEquals(3, new Admission.Limits(4, 3).most());
  }

  @Test
  void whoComesWhenItHasClosedIsSentAway() {
    Admission admission = new Admission(new Admission.Limits(1L << 40, 1L << 40));
    CheckedSpecification job = CheckedSpecification.of(JOB);
    assertTrue(admission.admit(job).memory().bytes() > 0);
    admission.close();
    admission.close();
    RefusedException refused = assertThrows(RefusedException.class, () -> admission.admit(job));
    assertEquals(RefusedException.Kind.UNAVAILABLE, refused.kind());
  }

  @Test
  void whatIsKnownIsToldWhileOthersAreCounted() throws InterruptedException {
    CountDownLatch over = new CountDownLatch(1);
    try (Admission admission = new Admission(new Admission.Limits(1L << 40, 1L << 40))) {
      CheckedSpecification job = CheckedSpecification.of(JOB);
      long bytes = admission.admit(job).memory().bytes();
      CountDownLatch begun = new CountDownLatch(1);
      Thread other =
          Thread.ofPlatform()
              .start(
                  () ->
                      admission.with(
                          job.resolved(),
                          _ -> {
                            begun.countDown();
                            return waited(over);
                          }));
      assertTrue(begun.await(1, TimeUnit.MINUTES));
      CheckedSpecification next = CheckedSpecification.of(JOB.with("/training/seed", 7));
      try {
        assertEquals(
            bytes,
            assertTimeoutPreemptively(
                Duration.ofSeconds(30), () -> admission.admit(next).memory().bytes()));
      } finally {
        over.countDown();
      }
      other.join();
    }
  }

  private static boolean waited(CountDownLatch over) {
    try {
      return over.await(1, TimeUnit.MINUTES);
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  @Test
  void whatWeighsNothingChangesNothingAndWhatWeighsDoes() {
    try (Admission admission = new Admission(new Admission.Limits(1L << 40, 1L << 40))) {
      long bytes = admission.admit(CheckedSpecification.of(JOB)).memory().bytes();
      JobSpecification named =
          JOB.with("/name", "other").with("/labels", Map.of("a", "b")).with("/training/seed", 7);
      assertEquals(bytes, admission.admit(CheckedSpecification.of(named)).memory().bytes());
      assertTrue(
          admission
                  .admit(CheckedSpecification.of(JOB.with("/training/batchSize", 4096)))
                  .memory()
                  .bytes()
              > bytes);
      assertEquals(bytes, admission.admit(CheckedSpecification.of(JOB)).memory().bytes());
      assertEquals(1L << 40, admission.limits().jobBytes());
    }
  }
}
