package dev.halfcell.plan;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.halfcell.amp.TrainStepCell;
import dev.halfcell.amp.precision.Level;
import dev.halfcell.backend.Backend;
import dev.halfcell.backend.Outcome;
import dev.halfcell.backend.ReferenceBackend;
import dev.halfcell.op.CellPath;
import dev.halfcell.op.Op;
import dev.halfcell.op.elementwise.Relu;
import dev.halfcell.op.linear.MatMul;
import dev.halfcell.tensor.DType;
import dev.halfcell.tensor.TensorSpec;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.ToLongFunction;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

final class MemoryPlannerTest {
  private static final TensorSpec SQUARE = TensorSpec.of(DType.FP32, 20, 20);
  private static final long SQUARE_BYTES = 1600;

  /** A program over squares: input 0, and tasks that fill slots 1, 2, ... in order. */
  private static Program chain(List<Integer> results, Task... tasks) {
    List<TensorSpec> slots = IntStream.rangeClosed(0, tasks.length).mapToObj(_ -> SQUARE).toList();
    return new Program(
        slots, List.of(0), Map.of(), Map.of(), List.of(tasks), Map.of(), Outcome.of(results));
  }

  private static Task task(Op op, int out, Integer... in) {
    return new Task(new Work.Single(op), List.of(in), List.of(out), CellPath.ROOT);
  }

  private static Task product(int out, Integer a, Integer b) {
    return task(new MatMul(false, false, false), out, a, b);
  }

  private static MemoryPlan plan(Program program) {
    return MemoryPlanner.plan(program, slot -> program.spec(slot).bytes(), _ -> 0);
  }

  private static long offset(MemoryPlan plan, int slot) {
    return plan.offsets().getOrDefault(slot, -1L);
  }

  @Test
  void whatIsNoLongerReadIsOverwritten() {
    MemoryPlan plan =
        plan(
            chain(
                List.of(4),
                product(1, 0, 0),
                product(2, 1, 1),
                product(3, 2, 2),
                product(4, 3, 3)));
    assertEquals(2 * SQUARE_BYTES, plan.size());
    assertEquals(offset(plan, 1), offset(plan, 3));
    assertNotEquals(offset(plan, 1), offset(plan, 2));
    assertEquals(-1, offset(plan, 0), "an input lies elsewhere");
  }

  @Test
  void aResultIsNotOverwritten() {
    MemoryPlan plan =
        plan(chain(List.of(1, 3), product(1, 0, 0), product(2, 1, 1), product(3, 2, 2)));
    assertEquals(3 * SQUARE_BYTES, plan.size());
  }

  @Test
  void reluTakesOverTheStorageThatNobodyReadsLater() {
    MemoryPlan over = plan(chain(List.of(2), product(1, 0, 0), task(new Relu(), 2, 1)));
    assertEquals(offset(over, 1), offset(over, 2));
    assertEquals(SQUARE_BYTES, over.size());
    MemoryPlan still =
        plan(chain(List.of(3), product(1, 0, 0), task(new Relu(), 2, 1), product(3, 1, 2)));
    assertNotEquals(offset(still, 1), offset(still, 2));
  }

  @Test
  void reluTakesOverNoStorageOfAnotherSize() {
    Program program = chain(List.of(2), product(1, 0, 0), task(new Relu(), 2, 1));
    MemoryPlan plan = MemoryPlanner.plan(program, slot -> slot * SQUARE_BYTES, _ -> 0);
    assertNotEquals(offset(plan, 1), offset(plan, 2));
    assertEquals(3 * SQUARE_BYTES, plan.size());
  }

  @Test
  void reluDoesNotOverwriteAnInputOfTheProgram() {
    MemoryPlan plan = plan(chain(List.of(1), task(new Relu(), 1, 0)));
    assertEquals(Map.of(1, 0L), plan.offsets());
  }

  @Test
  void aViewKeepsItsStorageAlive() {
    Program program =
        chain(List.of(4), product(1, 0, 0), product(2, 0, 0), product(3, 2, 2), product(4, 2, 3));
    Program viewing = program.viewing(Map.of(3, 1));
    Program last =
        viewing.with(
            List.of(viewing.tasks().get(0), viewing.tasks().get(1), viewing.tasks().get(3)));
    MemoryPlan plan = plan(last);
    assertEquals(3 * SQUARE_BYTES, plan.size(), "4 is computed from 2 and, through the view, 1");
  }

  /** Of the tasks that fill slots 2 and 3. */
  private static MemoryPlan overlapping(Program program, long workspace) {
    TaskSpans spans = TaskSpans.inTurn(program.tasks().size()).together(List.of(1, 2));
    return MemoryPlanner.plan(
        program, slot -> SQUARE_BYTES, task -> task.out(0) == 1 ? 0 : workspace, spans);
  }

  @Test
  void whatOneOfTasksThatOverlapNeedsIsKeptFromTheFirstToTheLast() {
    Program program =
        chain(List.of(4), product(1, 0, 0), product(2, 1, 1), product(3, 2, 2), product(4, 3, 3));
    MemoryPlan plan = overlapping(program, 0);
    assertEquals(3 * SQUARE_BYTES, plan.size());
    assertNotEquals(offset(plan, 1), offset(plan, 3), "2 is filled of 1 while 3 is filled of it");
    MemoryPlan roomy = overlapping(program, SQUARE_BYTES);
    assertEquals(5 * SQUARE_BYTES, roomy.size());
    assertNotEquals(roomy.workspaces().get(1), roomy.workspaces().get(2));
  }

  @Test
  void aTaskBetweenThoseThatOverlapHasRoomOfItsOwnForItselfAlone() {
    Program program =
        chain(List.of(4), product(1, 0, 0), product(2, 1, 1), product(3, 0, 0), product(4, 2, 3));
    TaskSpans spans = TaskSpans.inTurn(4).together(List.of(1, 3));
    ToLongFunction<Task> room = task -> task.out(0) < 3 ? SQUARE_BYTES : 0;
    MemoryPlan plan = MemoryPlanner.plan(program, slot -> SQUARE_BYTES, room, spans);
    assertEquals(5 * SQUARE_BYTES, plan.size(), "1 to 4, and room for 2, where that of 1 was");
    ToLongFunction<Task> between = task -> task.out(0) > 1 ? SQUARE_BYTES : 0;
    MemoryPlan more = MemoryPlanner.plan(program, slot -> SQUARE_BYTES, between, spans);
    assertEquals(7 * SQUARE_BYTES, more.size(), "that of 3 is none of those of 2 and 4");
  }

  @Test
  void reluOverwritesNothingThatATaskReadsWhichItOverlaps() {
    Task relu = task(new Relu(), 3, 1);
    Program program = chain(List.of(4), product(1, 0, 0), product(2, 1, 1), relu, product(4, 2, 3));
    assertEquals(offset(plan(program), 1), offset(plan(program), 3), "one after the other");
    MemoryPlan plan = overlapping(program, 0);
    assertNotEquals(offset(plan, 1), offset(plan, 3));
  }

  @Test
  void aWorkspaceLivesForItsTaskOnly() {
    Program program = chain(List.of(2), product(1, 0, 0), product(2, 1, 1));
    MemoryPlan plan =
        MemoryPlanner.plan(program, slot -> SQUARE_BYTES, task -> task.out(0) == 1 ? 1000 : 0);
    assertEquals(Map.of(0, offset(plan, 2)), plan.workspaces());
    assertEquals(2 * SQUARE_BYTES, plan.size());
  }

  @Test
  void ofSeveralGapsTheSmallestIsTaken() {
    Lifetime late = new Lifetime(9, 9, 640);
    List<Lifetime> smallestLast = List.of(early(1024), always(960), early(896), always(832), late);
    assertEquals(1984, ArenaPlacement.of(smallestLast).offsets().getLast());
    List<Lifetime> smallestFirst =
        List.of(always(1024), early(960), always(896), early(832), early(768), always(704), late);
    assertEquals(1024, ArenaPlacement.of(smallestFirst).offsets().getLast());
  }

  private static Lifetime early(long bytes) {
    return new Lifetime(0, 0, bytes);
  }

  private static Lifetime always(long bytes) {
    return new Lifetime(0, 9, bytes);
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
  void piecesNeededTogetherNeverShareAByte(long seed) {
    Random random = new Random(seed);
    for (int round = 0; round < 50; round++) {
      List<Lifetime> pieces =
          IntStream.range(0, 1 + random.nextInt(60))
              .mapToObj(
                  _ -> {
                    int from = random.nextInt(40);
                    return new Lifetime(from, from + random.nextInt(20), random.nextInt(5000));
                  })
              .toList();
      ArenaPlacement placement = ArenaPlacement.of(pieces);
      assertSound(pieces, placement, "seed " + seed + ", round " + round);
    }
  }

  private static void assertSound(List<Lifetime> pieces, ArenaPlacement placement, String message) {
    assertTrue(placement.size() >= placement.bound(), message);
    for (int i = 0; i < pieces.size(); i++) {
      long start = placement.offsets().get(i);
      long end = start + pieces.get(i).bytes();
      assertEquals(0, start % ArenaPlacement.ALIGNMENT, message);
      assertTrue(end <= placement.size(), message);
      for (int j = 0; j < i; j++) {
        long otherStart = placement.offsets().get(j);
        boolean apart = end <= otherStart || otherStart + pieces.get(j).bytes() <= start;
        assertTrue(apart || !pieces.get(i).meets(pieces.get(j)), message + ": " + i + ", " + j);
      }
    }
  }

  /**
   * Walks a random program with each byte's owner at hand: a task that reads a slot must find all
   * of its bytes as they were written.
   */
  @ParameterizedTest
  @ValueSource(longs = {11, 12, 13, 14, 15, 16, 17, 18})
  void everyTaskFindsWhatItReads(long seed) {
    Random random = new Random(seed);
    for (int round = 0; round < 25; round++) {
      Program program = randomProgram(random);
      assertReadable(program, plan(program), "seed " + seed + ", round " + round);
    }
  }

  private static Program randomProgram(Random random) {
    int count = 2 + random.nextInt(30);
    Task[] tasks = new Task[count];
    for (int i = 0; i < count; i++) {
      int newest = Math.max(0, i - 5);
      int a = newest + random.nextInt(i + 1 - newest);
      int b = random.nextInt(i + 1);
      tasks[i] = random.nextBoolean() ? product(i + 1, a, b) : task(new Relu(), i + 1, a);
    }
    return chain(List.of(count, 1 + random.nextInt(count)), tasks);
  }

  private static void assertReadable(Program program, MemoryPlan plan, String message) {
    Map<Long, Integer> owners = new HashMap<>();
    for (Task task : program.tasks()) {
      for (int slot : task.in()) {
        assertOwned(owners, plan, slot, message + ": " + task);
      }
      long start = offset(plan, task.out(0));
      for (long at = start; at < start + SQUARE_BYTES; at += ArenaPlacement.ALIGNMENT) {
        owners.put(at, task.out(0));
      }
    }
    program.kept().forEach(slot -> assertOwned(owners, plan, slot, message + ": result"));
  }

  private static void assertOwned(
      Map<Long, Integer> owners, MemoryPlan plan, int slot, String message) {
    long start = offset(plan, slot);
    List<Integer> seen = new ArrayList<>();
    for (long at = start; slot > 0 && at < start + SQUARE_BYTES; at += ArenaPlacement.ALIGNMENT) {
      seen.add(owners.getOrDefault(at, -1));
    }
    assertTrue(seen.stream().allMatch(owner -> owner == slot), message + " sees " + seen);
  }

  @ParameterizedTest
  @EnumSource(Level.class)
  void leNetsArenaIsNearTheBound(Level level) {
    try (Backend backend = new ReferenceBackend();
        TrainStepCell train = Example.LENET.train(level, DType.FP16, backend)) {
      Program plain = Program.of(Example.LENET.graph(train, 64));
      MemoryPlan before = plan(Fusion.shareStorage(plain));
      MemoryPlan after = plan(Fusion.shareStorage(Fusion.fuse(plain)));
      assertTrue(before.size() <= 1.15 * before.bound(), before.size() + " of " + before.bound());
      assertTrue(after.size() <= 1.15 * after.bound(), after.size() + " of " + after.bound());
      assertTrue(after.size() < before.size());
    }
  }
}
