package dev.halfcell.rest.service;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.halfcell.zoo.job.CheckedSpecification;
import dev.halfcell.zoo.job.JobSpecification;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What is known of one specification is told of others of its kind, and of no others. */
final class KnownResolutionsTest {
  private static final JobSpecification LENET = JobSpecification.of("lenet5");

  private final KnownResolutions known = new KnownResolutions();

  /** One of a kind, and those that differ from it by what tells jobs apart. */
  private static List<JobSpecification> sweep(JobSpecification kind) {
    return List.of(
        kind.with("/name", "first").with("/training/seed", 7),
        kind,
        kind.with("/training/seed", 8).with("/labels", Map.of("a", "b")),
        kind.with("/priority", 3),
        kind.with("/name", "last").with("/training/seed", 9).with("/priority", -1),
        kind.with("/labels", Map.of("c", "d")));
  }

  private CheckedSpecification check(JobSpecification said) {
    return known.check(said.json(), "");
  }

  @ParameterizedTest
  @ValueSource(strings = {"mlp", "lenet5", "resnet20"})
  void eachOfASweepComesToWhatItComesToAlone(String network) {
    for (String level : List.of("O0", "O2")) {
      JobSpecification kind =
          JobSpecification.of(network)
              .with("/precision/level", level)
              .with("/dataset/name", "synthetic")
              .with("/training/steps", 10)
              .with("/checkpoint/everySteps", 5)
              .with("/logs", List.of("csv"))
              .with("/device", "cpu")
              .with("/timeout", 601)
              .with("/queueTimeout", 602)
              .with("/stopGraceSeconds", 603)
              .with("/retries", 4);
      for (JobSpecification one : sweep(kind)) {
        assertEquals(CheckedSpecification.of(one), check(one));
      }
    }
  }

  @Test
  void aKindIsResolvedOnce() {
    JobSpecification one = LENET.with("/training/seed", 1);
    JobSpecification other = LENET.with("/training/seed", 2).with("/name", "other");
    assertSame(check(one).resolved().precision(), check(other).resolved().precision());
  }

  @Test
  void whatIsOtherwiseIsOfAnotherKind() {
    var _ = check(LENET);
    JobSpecification faster = LENET.with("/training/optimizer/learningRate", 0.5);
    assertEquals(faster.resolved(), check(faster).resolved());
    JobSpecification limited = LENET.with("/timeout", 60);
    assertEquals(limited.resolved(), check(limited).resolved());
  }

  @Test
  void whatIsWrongIsToldWhole() {
    var _ = check(LENET);
    String wrong =
        "{\"network\": {\"name\": \"lenet5\"}, \"name\": \"\", \"training\": {\"seed\": \"x\"}}";
    for (int time = 0; time < 2; time++) {
      RefusedException refused =
          assertThrows(RefusedException.class, () -> known.check(wrong, "/below"));
      assertEquals(
          List.of("/below/name", "/below/training/seed"),
          refused.errors().stream().map(FieldError::pointer).sorted().toList());
    }
    JobSpecification unfit = LENET.with("/training/epochs", 1).with("/training/steps", 1);
    assertThrows(RefusedException.class, () -> check(unfit));
    assertThrows(RefusedException.class, () -> check(unfit.with("/name", "again")));
  }

  @Test
  void whatCameToThemCountsWhereThereIsRoomForFewKinds() {
    long room = LENET.json().length() + (long) LENET.resolved().json().length();
    KnownResolutions one = new KnownResolutions(room + 10);
    assertSame(
        one.check(LENET.json(), "").resolved().precision(),
        one.check(LENET.json(), "").resolved().precision());
    KnownResolutions none = new KnownResolutions(room - 10);
    assertNotSame(
        none.check(LENET.json(), "").resolved().precision(),
        none.check(LENET.json(), "").resolved().precision());
  }

  @Test
  void namesAndLabelsTakeNoRoom() {
    long room = LENET.json().length() + (long) LENET.resolved().json().length();
    KnownResolutions one = new KnownResolutions(room + 10);
    String named = LENET.with("/name", "n".repeat(100)).json();
    assertSame(
        one.check(named, "").resolved().precision(),
        one.check(LENET.json(), "").resolved().precision());
  }
}
