package dev.halfcell.nn;

/**
 * Marks a cell that normalises its data, of class DENY: what the option {@code keepBatchNormFp32}
 * of a precision plan speaks of. Implement it in an own normalisation.
 */
public interface NormalizationCell {}
