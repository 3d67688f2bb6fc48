package dev.halfcell.cpu.kernel;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.BitSet;
import java.util.List;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.Function;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

/** What Linux says of the processors of each thread of a team. */
@EnabledOnOs(OS.LINUX)
final class AffinityTest {
  private static final int MEMBERS = 2;

  private String here = "";

  @BeforeEach
  void seeWhereThisThreadMayRun() {
    assumeTrue(Runtime.getRuntime().availableProcessors() >= MEMBERS, "a single processor");
    here = allowed();
  }

  private static String allowed() {
    try {
      return Files.readAllLines(Path.of("/proc/thread-self/status")).stream()
          .filter(line -> line.startsWith("Cpus_allowed_list:"))
          .findFirst()
          .orElseThrow()
          .replaceFirst("\\S+\\s+", "");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static Affinity each() {
    return new Affinity(MEMBERS, LinuxThread.ofSystem().orElseThrow(), System::nanoTime);
  }

  private static String[] inStages(Team team) {
    String[] seen = new String[MEMBERS];
    team.run(List.of(new Stage(MEMBERS, part -> seen[part] = allowed())));
    return seen;
  }

  private static <T> T among(Affinity affinity, Function<Team, T> work) {
    SharedProcessors processors = SharedProcessors.of(MEMBERS, LinuxThread.ofSystem());
    try (Team team = new Team(MEMBERS, () -> {}, affinity, processors)) {
      return work.apply(team);
    }
  }

  @Test
  void eachMemberWorksOnAProcessorOfItsOwn() {
    String[] seen = among(each(), AffinityTest::inStages);
    assertEquals(MEMBERS, Set.of(seen).size());
    for (String one : seen) {
      assertTrue(one.matches("\\d+"), one);
    }
  }

  @Test
  void theCallerIsFreeAgainBehindARun() {
    among(each(), AffinityTest::inStages);
    assertEquals(here, allowed());
  }

  @Test
  void theCallerIsFreeAgainBehindARunThatFails() {
    Stage failing =
        new Stage(
            MEMBERS,
            _ -> {
              throw new IllegalStateException();
            });
    among(
        each(),
        team -> assertThrows(IllegalStateException.class, () -> team.run(List.of(failing))));
    assertEquals(here, allowed());
  }

  /** A thread of a system in which time passes, and is waited for, as a test says. */
  private static final class Scripted implements Affinity.CallingThread {
    private long now;
    private long waited;
    private boolean known = true;
    private BitSet allowed = both();

    static BitSet both() {
      BitSet both = new BitSet();
      both.set(3);
      both.set(5);
      return both;
    }

    @Override
    public BitSet allowed() {
      return allowed;
    }

    @Override
    public void allow(BitSet processors) {
      allowed = processors;
    }

    @Override
    public OptionalLong waited() {
      return known ? OptionalLong.of(waited) : OptionalLong.empty();
    }

    /** Steps of a millisecond, in each of which so much of it is waited for. */
    int boundOf(Affinity affinity, int steps, double waits) {
      int bound = 0;
      for (int step = 0; step < steps; step++) {
        affinity.begins(0);
        bound += allowed.cardinality() == 1 ? 1 : 0;
        now += 1_000_000;
        waited += (long) (waits * 1_000_000);
        affinity.ends(0);
        assertEquals(both(), allowed, "free between runs");
      }
      return bound;
    }
  }

  @Test
  void membersThatWaitForHalfOfTheTimeStayBound() {
    Scripted thread = new Scripted();
    Affinity affinity = new Affinity(MEMBERS, thread, () -> thread.now);
    assertEquals(20_000, thread.boundOf(affinity, 20_000, 0.5));
  }

  @Test
  void membersAreFreeForSecondsWhereOneWaitsForMostOfTheTime() {
    Scripted thread = new Scripted();
    Affinity affinity = new Affinity(MEMBERS, thread, () -> thread.now);
    assertEquals(1000, thread.boundOf(affinity, 1000, 0.1));
    assertEquals(100, thread.boundOf(affinity, 5_000, 0.9), "until it is seen");
    assertEquals(4_900, thread.boundOf(affinity, 5_000, 0.1), "the pause is over");
  }

  @Test
  void pausesBecomeLongerWhereItStaysSo() {
    Scripted thread = new Scripted();
    Affinity affinity = new Affinity(MEMBERS, thread, () -> thread.now);
    assertEquals(600, thread.boundOf(affinity, 200_000, 0.9), "5, 10, 20, 40, 80 s and the rest");
  }

  @Test
  void whatAnotherCallerWaitedIsNotThisOnes() throws InterruptedException {
    Scripted thread = new Scripted();
    Affinity affinity = new Affinity(MEMBERS, thread, () -> thread.now);
    assertEquals(150, thread.boundOf(affinity, 150, 0.1));
    int[] bound = {0};
    Thread other =
        Thread.ofPlatform()
            .start(
                () -> {
                  thread.waited += 1_000_000_000_000L;
                  bound[0] = thread.boundOf(affinity, 1000, 0.1);
                });
    other.join();
    assertEquals(1000, bound[0]);
  }

  @Test
  void membersAreFreeWhereItIsNotKnownHowLongTheyWait() {
    Scripted thread = new Scripted();
    Affinity affinity = new Affinity(MEMBERS, thread, () -> thread.now);
    assertEquals(100, thread.boundOf(affinity, 100, 0.1));
    thread.known = false;
    assertEquals(0, thread.boundOf(affinity, 1000, 0.1));
  }

  @Test
  void membersAreLeftFreeWhereNobodyAsks() {
    assertEquals(Set.of(here), Set.copyOf(List.of(among(Affinity.free(), AffinityTest::inStages))));
  }

  @Test
  void onlyANicedProcessWithAProcessorForEachMemberIsBound() {
    BitSet three = new BitSet();
    three.set(1);
    three.set(4, 6);
    assertTrue(Affinity.suits(10, 3, three));
    assertFalse(Affinity.suits(0, 3, three));
    assertFalse(Affinity.suits(-5, 3, three));
    assertFalse(Affinity.suits(10, 2, three));
    assertFalse(Affinity.suits(10, 4, three));
    BitSet one = new BitSet();
    one.set(2);
    assertFalse(Affinity.suits(10, 1, one));
  }
}
