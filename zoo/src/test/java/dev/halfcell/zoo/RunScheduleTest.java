package dev.halfcell.zoo;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.halfcell.op.update.OneCycle;
import dev.halfcell.op.update.Plateau;
import dev.halfcell.op.update.Schedule;
import dev.halfcell.tensor.ArgumentException;
import dev.halfcell.tensor.Problem;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RunScheduleTest {
  private static final int STEPS = 200;
  private static final double RATE = 0.5;

  private static Schedule of(String text) {
    return new RunSchedule(text).over(STEPS, RATE);
  }

  @Test
  void aNameAloneStandsForItsDefaults() {
    Map<String, Schedule> wanted =
        Map.of(
            "constant", new Schedule.Constant(RATE),
            "step:every=30", new Schedule.StepDecay(RATE, 30, 0.1),
            "exponential:every=30", new Schedule.Exponential(RATE, 30, 0.1),
            "cosine", new Schedule.Cosine(RATE, STEPS, 0),
            "linear", new Schedule.Polynomial(RATE, STEPS, 0, 1),
            "polynomial", new Schedule.Polynomial(RATE, STEPS, 0, 2),
            "one-cycle", new OneCycle(RATE, STEPS),
            "plateau", new Plateau(RATE));
    wanted.forEach((text, schedule) -> assertEquals(schedule, of(text), text));
  }

  @Test
  void keysSayOtherwise() {
    Schedule constant = new Schedule.Constant(RATE);
    assertEquals(new Schedule.StepDecay(RATE, 7, 0.5), of("step:factor=0.5,every=7"));
    assertEquals(new Schedule.Exponential(RATE, 7, 0.5), of("exponential:every=7,factor=0.5"));
    assertEquals(new Schedule.Cosine(RATE, STEPS, RATE / 4), of("cosine:end=0.25"));
    assertEquals(new Schedule.Polynomial(RATE, STEPS, RATE / 4, 1), of("linear:end=0.25"));
    assertEquals(new Schedule.Polynomial(RATE, STEPS, 0, 3), of("polynomial:power=3"));
    assertEquals(
        new OneCycle(RATE, STEPS, 0.5, 10, 100),
        of("one-cycle:rise=0.5,start-divisor=10,end-divisor=100"));
    assertEquals(
        new Plateau(constant, 0.5, 0, 0.01, 0.25),
        of("plateau:factor=0.5,patience=0,threshold=0.01,least=0.25"));
  }

  @Test
  void lengthsAreStepsOrSharesOfTheRun() {
    assertEquals(
        new Schedule.Piecewise(List.of(0L, 100L, 180L), List.of(RATE, RATE / 2, RATE / 4)),
        of("piecewise:50%=0.5,180=0.25"));
    assertEquals(new Schedule.StepDecay(RATE, 50, 0.1), of("step:every=25%"));
    assertEquals(
        new Schedule.WarmUp(20, new Schedule.Cosine(RATE, 180, 0)), of("warm-up=10%+cosine"));
    assertEquals(
        new Schedule.WarmUp(3, new Plateau(RATE)).plateau(), of("warm-up=3+plateau").plateau());
  }

  /** Both pieces fall on the first step, the last that there is. */
  @Test
  void aShortRunHasEachPieceThatFits() {
    assertEquals(
        new Schedule.Piecewise(List.of(0L, 1L), List.of(RATE, RATE / 4)),
        new RunSchedule("piecewise:50%=0.5,75%=0.25").over(1, RATE));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          steps                     | schedule                    | 'steps'
          ''                        | schedule                    | ''
          constant:end=0            | schedule constant           | 'end'
          cosine:last=0             | schedule cosine             | 'last'
          cosine:end                | schedule cosine             | 'end'
          cosine:end=0,end=0        | schedule cosine             | 'end'
          cosine:end=low            | schedule cosine, end        | 'low'
          cosine:end=NaN            | schedule cosine, end        | 'NaN'
          cosine:end=2              | last learning rate          | 2.0
          step                      | schedule step               | ''
          step:every=0              | schedule step, every        | '0'
          step:every=1.5            | schedule step, every        | '1.5'
          step:every=0%             | schedule step, every        | 0%
          step:every=101%           | schedule step, every        | 101%
          step:every=9,factor=2     | learning-rate factor        | 2.0
          plateau:patience=-1       | schedule plateau, patience  | '-1'
          piecewise                 | schedule piecewise          | ''
          piecewise:half=0.1        | schedule piecewise          | 'half'
          piecewise:50%=-1          | learning rate               | -1.0
          warm-up=5                 | schedule                    | 'warm-up=5'
          warm-up=x+cosine          | schedule warm-up            | 'x'
          warm-up=5+warm-up=5+step  | schedule                    | 'warm-up=5+step'
          """,
      quoteCharacter = '"')
  void whatMakesNoSenseIsNamed(String text, String subject, String got) {
    String line = text.equals("''") ? "" : text;
    Problem problem = assertThrows(ArgumentException.class, () -> new RunSchedule(line)).problem();
    assertEquals(subject, problem.subject());
    assertEquals(got, problem.got());
    assertFalse(problem.expected().isEmpty());
  }

  @Test
  void aWarmUpIsShorterThanTheRun() {
    RunSchedule schedule = new RunSchedule("warm-up=10+cosine");
    assertEquals(10, ((Schedule.WarmUp) schedule.over(11, 1)).steps());
    assertThrows(ArgumentException.class, () -> schedule.over(10, 1));
  }
}
