package dev.halfcell.backend;

/**
 * How far a plan may depart from running op after op.
 *
 * @param fuse whether several ops may become one kernel, which drops roundings between them
 * @param layouts whether tensors may be kept in other layouts between kernels
 */
public record PlanOptions(boolean fuse, boolean layouts) {
  /** Op after op: the same bits as eager execution. */
  public static final PlanOptions PLAIN = new PlanOptions(false, false);

  /** Everything that makes a plan fast. */
  public static final PlanOptions FULL = new PlanOptions(true, true);
}
