package dev.halfcell.op.update;

/**
 * The counters and sums of a window of micro-batches, whose gradients are added up for one step.
 * {@code taken} counts its micro-batches so far, {@code kept} those whose loss and gradients were
 * finite: INT64 scalars. What a sum holds from the window before counts for nothing.
 */
public sealed interface Window extends Update
    permits Accumulate, CountFinite, Restart, WindowClean, WindowScale, WindowStatistic {}
