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

  private static String[] inStages(Team team) {
    String[] seen = new String[MEMBERS];
    team.run(List.of(new Stage(MEMBERS, part -> seen[part] = allowed())));
    return seen;
  }

  private static <T> T among(Affinity affinity, Function<Team, T> work) {
    try (Team team = new Team(MEMBERS, () -> {}, affinity)) {
      return work.apply(team);
    }
  }

  @Test
  void eachMemberWorksOnAProcessorOfItsOwn() {
    String[] seen = among(Affinity.each(MEMBERS), AffinityTest::inStages);
    assertEquals(MEMBERS, Set.of(seen).size());
    for (String one : seen) {
      assertTrue(one.matches("\\d+"), one);
    }
  }

  @Test
  void theCallerIsFreeAgainBehindARun() {
    among(Affinity.each(MEMBERS), AffinityTest::inStages);
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
        Affinity.each(MEMBERS),
        team -> assertThrows(IllegalStateException.class, () -> team.run(List.of(failing))));
    assertEquals(here, allowed());
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
