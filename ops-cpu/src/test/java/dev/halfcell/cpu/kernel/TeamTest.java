package dev.halfcell.cpu.kernel;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntSupplier;
import java.util.stream.IntStream;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Stages follow each other on all threads, and a failure ends a run on all of them. */
@Timeout(60)
final class TeamTest {
  private static final int STAGES = 200;

  private static Team team(int size) {
    return new Team(size, () -> {});
  }

  @Test
  void eachPartOfAStageSeesAllPartsOfTheOneBefore() {
    for (int size = 1; size <= 5; size++) {
      int[] sums = new int[7];
      List<Stage> stages = new ArrayList<>();
      for (int stage = 0; stage < STAGES; stage++) {
        int step = stage;
        int[] before = sums;
        int[] after = new int[7];
        stages.add(
            new Stage(7, part -> after[part] = before[(part + 1) % 7] + before[part] % 11 + step));
        sums = after;
      }
      int[] alone = sums.clone();
      stages.forEach(stage -> runAlone(stage));
      System.arraycopy(sums, 0, alone, 0, 7);
      Arrays.fill(sums, -1);
      try (Team team = team(size)) {
        team.run(stages);
      }
      assertEquals(Arrays.toString(alone), Arrays.toString(sums));
    }
  }

  @Test
  void theCallerIsToldOfEachStageWhenAllPartsOfItHaveEnded() {
    AtomicInteger ended = new AtomicInteger();
    List<Stage> stages =
        IntStream.range(0, STAGES)
            .mapToObj(_ -> new Stage(5, _ -> ended.incrementAndGet()))
            .toList();
    List<Integer> told = new ArrayList<>();
    List<Thread> on = new ArrayList<>();
    try (Team team = team(3)) {
      team.run(
          stages,
          stage -> {
            assertTrue(ended.get() >= 5 * (stage + 1), "stage " + stage);
            told.add(stage);
            on.add(Thread.currentThread());
          });
    }
    assertEquals(IntStream.range(0, STAGES).boxed().toList(), told);
    assertEquals(Set.of(Thread.currentThread()), Set.copyOf(on));
  }

  /** Which cannot come as long as the one that waits has the processor. */
  @Test
  void aMemberLeavesItsProcessorToOneThatItWaitsForOnTheSame() {
    Thread caller = Thread.currentThread();
    AtomicInteger looks = new AtomicInteger();
    IntSupplier same =
        () -> {
          if (!Thread.currentThread().equals(caller)) {
            looks.incrementAndGet();
          }
          return 3;
        };
    Stage waits =
        new Stage(
            2,
            part -> {
              long end = System.nanoTime() + 10_000_000_000L;
              while (part == 0 && looks.get() < 10 && System.nanoTime() < end) {
                Thread.onSpinWait();
              }
            });
    try (Team team = new Team(2, () -> {}, Affinity.free(), new SharedProcessors(2, same))) {
      team.run(List.of(waits));
    }
    assertTrue(looks.get() >= 10);
  }

  /** Runs of stages of one part, for which nobody waits, between others. */
  @RepeatedTest(5)
  void aFailureAmongStagesOfOnePartEndsTheRunOnAllThreads() {
    for (int failing = 0; failing < 12; failing++) {
      int at = failing;
      AtomicInteger last = new AtomicInteger(-1);
      List<Stage> stages =
          IntStream.range(0, 12)
              .mapToObj(
                  stage ->
                      new Stage(
                          stage % 4 == 0 ? 3 : 1,
                          part -> {
                            last.accumulateAndGet(stage, Math::max);
                            if (stage == at && part == 0) {
                              throw new IllegalStateException("stage " + stage);
                            }
                          }))
              .toList();
      try (Team team = team(3)) {
        String message =
            assertThrows(IllegalStateException.class, () -> team.run(stages)).getMessage();
        assertEquals("stage " + at, message);
        assertEquals(at, last.get());
        List<Integer> done = new ArrayList<>();
        team.run(
            IntStream.range(0, 12).mapToObj(i -> new Stage(1 + i % 2, _ -> {})).toList(),
            done::add);
        assertEquals(IntStream.range(0, 12).boxed().toList(), done);
      }
    }
  }

  private static void runAlone(Stage stage) {
    for (int part = 0; part < stage.parts(); part++) {
      stage.body().accept(part);
    }
  }

  @RepeatedTest(5)
  void aFailureEndsTheRunAndTheNextOneIsWhole() {
    try (Team team = team(3)) {
      for (int i = 0; i < 200; i++) {
        int failing = i % 3;
        AtomicInteger later = new AtomicInteger();
        List<Stage> stages =
            List.of(
                new Stage(3, _ -> {}),
                new Stage(3, part -> failAt(part, failing)),
                new Stage(3, _ -> later.incrementAndGet()));
        IllegalStateException e = assertThrows(IllegalStateException.class, () -> team.run(stages));
        assertEquals("part " + failing, e.getMessage());
        assertEquals(0, later.get());
        team.run(List.of(new Stage(3, _ -> later.incrementAndGet())));
        assertEquals(3, later.get());
      }
    }
  }

  private static void failAt(int part, int failing) {
    if (part == failing) {
      throw new IllegalStateException("part " + part);
    }
  }

  @Test
  void ofSeveralFailuresTheFirstPartsIsThrown() {
    try (Team team = team(3)) {
      for (int i = 0; i < 100; i++) {
        List<Stage> stages = List.of(new Stage(3, part -> failAt(part, part)));
        IllegalStateException e = assertThrows(IllegalStateException.class, () -> team.run(stages));
        assertEquals("part 0", e.getMessage());
      }
    }
  }
}
