/**
 * HalfCell beside other frameworks: {@link dev.halfcell.benchmarks.Compare} starts a process for
 * each measurement, {@link dev.halfcell.benchmarks.HalfCellProcess} is HalfCell's. On a GPU {@link
 * dev.halfcell.benchmarks.MeasureGpu} starts those, and {@link dev.halfcell.benchmarks.JoinGpu}
 * puts PyTorch's times beside them.
 */
@NullMarked
package dev.halfcell.benchmarks;

import org.jspecify.annotations.NullMarked;
