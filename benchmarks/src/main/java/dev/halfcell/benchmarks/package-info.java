/**
 * HalfCell beside other frameworks: {@link dev.halfcell.benchmarks.Compare} starts a process for
 * each measurement, {@link dev.halfcell.benchmarks.HalfCellProcess} is HalfCell's.
 */
@NullMarked
package dev.halfcell.benchmarks;

import org.jspecify.annotations.NullMarked;
