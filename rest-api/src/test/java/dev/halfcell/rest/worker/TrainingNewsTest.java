package dev.halfcell.rest.worker;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.halfcell.rest.job.JobProgress;
import dev.halfcell.rest.store.Report.Happened;
import dev.halfcell.rest.worker.FromWorker.Told;
import dev.halfcell.train.StepResult;
import dev.halfcell.train.TrainEvent;
import dev.halfcell.zoo.run.Settings;
import dev.halfcell.zoo.run.TestScores;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** What of a training is told, and how it is put together. */
final class TrainingNewsTest {
  private final AtomicLong clock = new AtomicLong();
  private final TrainingNews news = new TrainingNews(clock::get);

  private static TrainEvent.StepTaken step(long step, double loss, double used, double next) {
    StepResult result = new StepResult(loss, next < used, used, next, next >= used, 1);
    return new TrainEvent.StepTaken(step, 1, 32, result, 0.1, 100, 0);
  }

  private void begins(long behind) {
    news.begins(new Settings.Length(2, 32, OptionalInt.empty()), behind);
    news.on(new TrainEvent.EpochStarted(1, 2, 10));
  }

  private void takes(long step, double loss, double used, double next) {
    clock.addAndGet(100_000_000);
    news.on(step(step, loss, used, next));
  }

  private static List<String> kinds(Told told) {
    return told.events().stream().map(each -> each.kind().label()).toList();
  }

  private static String data(Told told, int event) {
    return told.events().get(event).data();
  }

  @Test
  void whereNothingHappenedNothingIsTold() {
    begins(0);
    assertTrue(news.take().isEmpty());
  }

  @Test
  void ofManyStepsTheLastIsTold() {
    begins(0);
    takes(1, 0.5, 8, 8);
    takes(2, 0.25, 8, 8);
    Told told = news.take().orElseThrow();
    assertEquals(List.of("step"), kinds(told));
    assertEquals(
        "{\"step\":2,\"epoch\":1,\"loss\":0.25,\"lossScale\":8.0,\"learningRate\":0.1,\"samplesPerSecond\":320.0}",
        data(told, 0));
    assertEquals(0.25, told.metrics().get("loss"));
    assertTrue(news.take().isEmpty());
  }

  @Test
  void whatCameOutIsToldThoughNoStepFollows() {
    begins(0);
    takes(1, 0.5, 8, 8);
    var _ = news.take();
    news.tested(new TestScores(0.3, 0.9, OptionalDouble.empty()));
    assertEquals(
        Map.of("test_loss", 0.3, "test_accuracy", 0.9), news.take().orElseThrow().metrics());
    news.tested(new TestScores(Double.NaN, Double.NaN, OptionalDouble.empty()));
    assertEquals(Map.of(), news.take().orElseThrow().metrics());
  }

  @Test
  void overflowsAreCountedAndChangesOfTheScaleAreOne() {
    begins(0);
    takes(1, 0.5, 8, 4);
    takes(2, 0.5, 4, 2);
    takes(3, 0.5, 2, 2);
    Told told = news.take().orElseThrow();
    assertEquals(List.of("overflow", "scale", "step"), kinds(told));
    assertEquals("{\"step\":2,\"count\":2}", data(told, 0));
    assertEquals("{\"step\":3,\"from\":8.0,\"to\":2.0}", data(told, 1));
  }

  @Test
  void whatIsNotFiniteIsNull() {
    begins(0);
    takes(1, Double.NaN, 8, 8);
    Told told = news.take().orElseThrow();
    assertTrue(data(told, 0).contains("\"loss\":null"), data(told, 0));
    assertTrue(!told.metrics().containsKey("loss"));
  }

  @Test
  void stepsComeBeforeTheEndOfTheirEpoch() {
    begins(0);
    takes(10, 0.5, 8, 8);
    news.on(new TrainEvent.EpochEnded(1, 0.5, 320, 0, 1.0));
    news.on(new TrainEvent.EpochMeasured(1, Map.of("accuracy", 0.75)));
    Told told = news.take().orElseThrow();
    assertEquals(List.of("step", "epoch", "epoch"), kinds(told));
    assertEquals("{\"epoch\":1,\"metrics\":{\"accuracy\":0.75}}", data(told, 2));
    assertEquals(0.75, told.metrics().get("accuracy"));
  }

  @Test
  void progressTellsWhatIsLeft() {
    begins(4);
    takes(5, 0.5, 8, 8);
    JobProgress at = news.take().orElseThrow().progress().orElseThrow();
    assertEquals(5, at.step());
    assertEquals(Optional.of(20L), at.totalSteps());
    assertEquals(0.25, at.fraction());
    assertEquals(1.5, at.etaSeconds().orElseThrow(), 1e-9);
  }

  /** A batch that was tried three times is step 7 behind step 4. */
  @Test
  void progressCountsStepsAndNotTries() {
    begins(4);
    takes(7, 0.5, 8, 8);
    assertEquals(5, news.take().orElseThrow().progress().orElseThrow().step());
  }

  @Test
  void whatTheBackendDoesInAnotherWayIsANotice() {
    begins(0);
    news.on(new TrainEvent.BackendNoticed("without a library"));
    Happened notice = news.take().orElseThrow().events().getFirst();
    assertEquals("{\"message\":\"without a library\"}", notice.data());
  }

  @Test
  void tooManyEventsAreCountedInstead() {
    begins(0);
    for (int i = 0; i < 1000; i++) {
      news.notice("notice " + i);
    }
    List<Happened> events = news.take().orElseThrow().events();
    assertEquals(ToldLimits.EVENTS, events.size());
    assertEquals(
        "{\"message\":\"745 events were left out: too many at once\"}", events.getLast().data());
  }
}
