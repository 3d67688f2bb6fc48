package dev.halfcell.backend;

import dev.halfcell.op.CellPath;
import dev.halfcell.tensor.TensorSpec;
import java.util.List;

/**
 * One task of a plan as it was compiled.
 *
 * @param at the cell on whose behalf
 * @param label what is computed
 * @param part of the step
 * @param kernel which code computes; empty where that goes without saying
 * @param out what it fills
 */
public record PlannedTask(
    CellPath at, String label, StepPart part, String kernel, List<Out> out, Cost cost) {
  public PlannedTask {
    out = List.copyOf(out);
  }

  /**
   * A tensor that is filled.
   *
   * @param layout the order of its elements in memory, in words
   */
  public record Out(TensorSpec spec, String layout) {
    /** The layout of tensors outside of plans: the last axis fastest. */
    public static final String ROW_MAJOR = "row major";

    /** One that lies as outside of plans. */
    public static Out rowMajor(TensorSpec spec) {
      return new Out(spec, ROW_MAJOR);
    }
  }

  /**
   * What it takes.
   *
   * @param bytes of the tensors that it reads, fills and overwrites
   * @param workspaceBytes that it needs while it runs
   * @param flops floating-point operations: two for each product that is summed
   * @param reorders how many tensors it brings into another layout, before or after it computes
   */
  public record Cost(long bytes, long workspaceBytes, long flops, int reorders) {}
}
