package dev.halfcell.backend;

import dev.halfcell.op.Op;
import dev.halfcell.op.precision.GradientCheck;
import dev.halfcell.op.precision.LargestMagnitude;
import dev.halfcell.op.precision.ScaleUpdate;
import dev.halfcell.op.precision.Unscale;
import dev.halfcell.op.update.Update;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** A part of a training step. */
public enum StepPart {
  /** Up to the loss, which may be computed together with its gradient. */
  FORWARD,
  /** Behind the loss: gradients, and what is summed or exchanged of them. */
  BACKWARD,
  /** What unscales and checks gradients and moves parameters, and all that is computed of that. */
  UPDATE;

  /**
   * What a step does at one time.
   *
   * @param updates whether that is by itself a part of the update
   * @param in the slots that it reads
   * @param out the slots that it fills
   */
  public record Piece(boolean updates, Collection<Integer> in, Collection<Integer> out) {}

  /** Whether an op by itself is a part of the update. */
  public static boolean updates(Op op) {
    return op instanceof Update
        || op instanceof Unscale
        || op instanceof GradientCheck
        || op instanceof LargestMagnitude
        || op instanceof ScaleUpdate;
  }

  /**
   * The part that each piece of a step is of, in their order.
   *
   * @param loss the place of the piece that yields the loss; -1 where none does
   */
  public static List<StepPart> of(List<Piece> pieces, int loss) {
    Set<Integer> updated = new HashSet<>();
    List<StepPart> parts = new ArrayList<>();
    for (int place = 0; place < pieces.size(); place++) {
      Piece piece = pieces.get(place);
      boolean behind = place > loss;
      if (piece.updates() || behind && piece.in().stream().anyMatch(updated::contains)) {
        parts.add(UPDATE);
        if (behind) {
          updated.addAll(piece.out());
        }
      } else {
        parts.add(behind ? BACKWARD : FORWARD);
      }
    }
    return List.copyOf(parts);
  }
}
