package dev.halfcell.zoo.job;

import dev.halfcell.nn.Cell;
import dev.halfcell.op.pooling.Window2d;
import java.util.Optional;

/** Poolings. */
public sealed interface PoolingCell extends CellSpecification {
  /** The largest of each window. */
  record MaxPool2d(
      @Key(value = "Rows and columns of a window.", least = 1, most = Limits.DIMENSION)
          int kernelSize,
      @Key(value = "From window to window; the window's own size.", least = 1)
          Optional<Integer> stride,
      @Key(value = "Frame on each side.", least = 0, most = Limits.DIMENSION, otherwise = "0")
          int padding)
      implements PoolingCell {
    @Override
    public Cell build() {
      return new dev.halfcell.nn.MaxPool2d(
          Window2d.square(kernelSize, stride.orElse(kernelSize), padding));
    }
  }

  /** The mean of each window. */
  record AvgPool2d(
      @Key(value = "Rows and columns of a window.", least = 1, most = Limits.DIMENSION)
          int kernelSize,
      @Key(value = "From window to window; the window's own size.", least = 1)
          Optional<Integer> stride,
      @Key(value = "Zeros on each side.", least = 0, most = Limits.DIMENSION, otherwise = "0")
          int padding,
      @Key(value = "Whether those zeros count.", otherwise = "true") boolean countIncludePad)
      implements PoolingCell {
    @Override
    public Cell build() {
      return new dev.halfcell.nn.AvgPool2d(
          Window2d.square(kernelSize, stride.orElse(kernelSize), padding), countIncludePad);
    }
  }

  /** The mean of each window, of such a size that so many come out. */
  record AdaptiveAvgPool2d(
      @Key(value = "Rows and columns that come out.", least = 1, most = Limits.DIMENSION)
          int outputSize)
      implements PoolingCell {
    @Override
    public Cell build() {
      return new dev.halfcell.nn.AdaptiveAvgPool2d(outputSize, outputSize);
    }
  }

  /** The mean of each channel. */
  record GlobalAvgPool2d() implements PoolingCell {
    @Override
    public Cell build() {
      return new dev.halfcell.nn.GlobalAvgPool2d();
    }
  }

  /** The largest of each channel. */
  record GlobalMaxPool2d() implements PoolingCell {
    @Override
    public Cell build() {
      return new dev.halfcell.nn.GlobalMaxPool2d();
    }
  }
}
