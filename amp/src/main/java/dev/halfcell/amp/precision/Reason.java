package dev.halfcell.amp.precision;

import dev.halfcell.amp.precision.PrecisionLists.Hit;
import dev.halfcell.op.Direction;
import dev.halfcell.op.PrecisionClass;
import dev.halfcell.tensor.DType;
import java.util.Locale;

/** Why a cell computes as it does. */
public sealed interface Reason {
  /** The reason in words, as {@code explain} prints it. */
  String text();

  /** Whether it holds for the cells below too, unless they have flags or entries of their own. */
  default boolean heldBelow() {
    return switch (this) {
      case Denied _, Listed _, IsLoss _ -> true;
      case KeepBatchNorm(boolean keep) -> keep;
      case ByLevel _, CastModelType _, Allowed _, Requested _, Demoted _ -> false;
    };
  }

  /** Whether what an own list says of a single op in the cell goes before it. */
  default boolean yieldsTo(Hit op) {
    return switch (this) {
      case ByLevel _, CastModelType _, Allowed _, Denied _ -> true;
      case KeepBatchNorm(boolean keep) -> !keep;
      case Listed(Hit hit) -> op.outranks(hit);
      case Requested(DType dtype, _) -> dtype.half() && op.list() == PrecisionClass.DENY;
      case IsLoss _, Demoted _ -> false;
    };
  }

  /** The level treats every cell so that nothing else is said of. */
  record ByLevel(Level level) implements Reason {
    @Override
    public String text() {
      return "level " + level.label();
    }
  }

  /** The cell's class gains from half. */
  record Allowed(String cell) implements Reason {
    @Override
    public String text() {
      return cell + " gains from half";
    }
  }

  /** The cell's class, or that of a cell around it, needs FP32. */
  record Denied(String cell) implements Reason {
    @Override
    public String text() {
      return cell + " needs fp32";
    }
  }

  /** Losses are FP32 at every level. */
  record IsLoss(String cell) implements Reason {
    @Override
    public String text() {
      return cell + " is a loss: fp32 at every level";
    }
  }

  /**
   * The user asked for it of this cell.
   *
   * @param by in which way: by flag, by a part of the options ...
   */
  record Requested(DType dtype, String by) implements Reason {
    /** Asked for by flag. */
    public Requested(DType dtype) {
      this(dtype, "flag");
    }

    @Override
    public String text() {
      return dtype.label() + " asked for by " + by;
    }
  }

  /** The cell, or one around it, stands on a list of the user's own. */
  record Listed(Hit hit) implements Reason {
    @Override
    public String text() {
      return hit.name() + " list: " + hit.entry().text();
    }
  }

  /** The option {@code castModelType} says so of the network. */
  record CastModelType(DType dtype) implements Reason {
    @Override
    public String text() {
      return "castModelType(" + dtype.label() + ")";
    }
  }

  /**
   * The cell was first not finite too often.
   *
   * @param op what it was last
   * @param direction in which part of the step
   * @param step the step after which the cell was moved
   * @param times how often it was
   */
  record Demoted(String op, Direction direction, long step, int times) implements Reason {
    @Override
    public String text() {
      return String.format(
          Locale.ROOT,
          "demoted at step %d: %s, %s, first not finite in %d %s",
          step,
          op,
          direction.label(),
          times,
          times == 1 ? "step" : "steps");
    }
  }

  /** The option {@code keepBatchNormFp32} says so. */
  record KeepBatchNorm(boolean keep) implements Reason {
    @Override
    public String text() {
      return "keepBatchNormFp32(" + keep + ")";
    }
  }
}
