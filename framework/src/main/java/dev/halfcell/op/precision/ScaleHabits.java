package dev.halfcell.op.precision;

import dev.halfcell.tensor.ArgumentException;
import java.util.OptionalInt;

/**
 * What dynamic loss scales of known systems differ in, beside their numbers. Each method gives a
 * changed copy.
 *
 * @param hysteresis how many overflows it takes for the scale to fall; after the fall every further
 *     one lowers it, until the count is full again
 * @param consecutive whether each clean step fills that count again; else only a growth does
 * @param clips whether a growth that would pass the ceiling goes to the ceiling; else it is not
 *     taken
 * @param late how many steps after the window's end the first growth comes; where it is late, the
 *     step of a growth counts as the first of the next window
 * @param mostOverflowsInARow how many steps in a row may overflow before the run gives up
 * @param givesUpAtFloor whether the run gives up where the scale would have to fall below its floor
 */
public record ScaleHabits(
    int hysteresis,
    boolean consecutive,
    boolean clips,
    int late,
    OptionalInt mostOverflowsInARow,
    boolean givesUpAtFloor) {
  public ScaleHabits {
    ArgumentException.require(hysteresis >= 1, "loss scale hysteresis", "at least 1", hysteresis);
    ArgumentException.require(
        late >= 0 && late <= Integer.MAX_VALUE / 2,
        "steps by which the growth of a loss scale is late",
        "at least 0 and at most " + Integer.MAX_VALUE / 2,
        late);
    mostOverflowsInARow.ifPresent(
        most ->
            ArgumentException.require(most >= 0, "most overflows in a row", "at least 0", most));
  }

  /** Falls at the first overflow, grows on time, stops short of the ceiling, never gives up. */
  public static ScaleHabits usual() {
    return new ScaleHabits(1, false, false, 0, OptionalInt.empty(), false);
  }

  /** Falls at this overflow of a row, counted anew after each growth. */
  public ScaleHabits hysteresis(int overflows) {
    return new ScaleHabits(
        overflows, consecutive, clips, late, mostOverflowsInARow, givesUpAtFloor);
  }

  /** Counts overflows anew after each clean step. */
  public ScaleHabits consecutively() {
    return new ScaleHabits(hysteresis, true, clips, late, mostOverflowsInARow, givesUpAtFloor);
  }

  /** Goes to the ceiling where a growth would pass it. */
  public ScaleHabits clipping() {
    return new ScaleHabits(
        hysteresis, consecutive, true, late, mostOverflowsInARow, givesUpAtFloor);
  }

  /** Grows so many steps late. */
  public ScaleHabits late(int steps) {
    return new ScaleHabits(
        hysteresis, consecutive, clips, steps, mostOverflowsInARow, givesUpAtFloor);
  }

  /** Gives up at one overflow in a row more. */
  public ScaleHabits mostOverflowsInARow(int most) {
    return new ScaleHabits(
        hysteresis, consecutive, clips, late, OptionalInt.of(most), givesUpAtFloor);
  }

  /** Gives up where the scale would have to fall below its floor. */
  public ScaleHabits givingUpAtFloor() {
    return new ScaleHabits(hysteresis, consecutive, clips, late, mostOverflowsInARow, true);
  }
}
