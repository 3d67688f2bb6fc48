package dev.halfcell.amp.precision;

import dev.halfcell.tensor.DType;

/** Why a cell computes as it does. */
public sealed interface Reason {
  /** The reason in words, as {@code explain} prints it. */
  String text();

  /** Whether it keeps the cells below in FP32 too, unless they have flags of their own. */
  default boolean heldBelow() {
    return switch (this) {
      case Denied _ -> true;
      case KeepBatchNorm(boolean keep) -> keep;
      case ByLevel _, Allowed _, IsLoss _, Requested _ -> false;
    };
  }

  /** The level treats every cell so that nothing else is said of. */
  record ByLevel(Level level) implements Reason {
    @Override
    public String text() {
      return "level " + level;
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

  /** The cell was flagged by the user. */
  record Requested(DType dtype) implements Reason {
    @Override
    public String text() {
      return dtype.label() + " asked for by flag";
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
