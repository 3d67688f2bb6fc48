package dev.halfcell.zoo.job;

import dev.halfcell.nn.BatchNormOptions;
import dev.halfcell.nn.Cell;
import java.util.List;

/** Normalisations, and dropout. */
public sealed interface NormalizationCell extends CellSpecification {
  /** Over the batch and the places of images. */
  record BatchNorm2d(
      @Key(value = "Channels.", least = 1, most = Limits.DIMENSION) int numFeatures,
      @Key(value = "Added to the variance.", otherwise = "1e-5") double eps,
      @Key(value = "What running statistics keep.", otherwise = "0.9") double momentum)
      implements NormalizationCell {
    @Override
    public Cell build() {
      return new dev.halfcell.nn.BatchNorm2d(
          numFeatures, new BatchNormOptions(eps, momentum, false));
    }
  }

  /** Over the batch. */
  record BatchNorm1d(
      @Key(value = "Features.", least = 1, most = Limits.DIMENSION) int numFeatures,
      @Key(value = "Added to the variance.", otherwise = "1e-5") double eps,
      @Key(value = "What running statistics keep.", otherwise = "0.9") double momentum)
      implements NormalizationCell {
    @Override
    public Cell build() {
      return new dev.halfcell.nn.BatchNorm1d(
          numFeatures, new BatchNormOptions(eps, momentum, false));
    }
  }

  /** Over the last axes. */
  record LayerNorm(
      @Key(value = "The sizes of the last axes.", least = 1, most = 8)
          List<Integer> normalizedShape,
      @Key(value = "Added to the variance.", otherwise = "1e-5") double eps)
      implements NormalizationCell {
    public LayerNorm {
      normalizedShape = List.copyOf(normalizedShape);
    }

    @Override
    public Cell build() {
      int[] shape = Limits.shape("LayerNorm", normalizedShape);
      return new dev.halfcell.nn.LayerNorm(eps, shape);
    }
  }

  /** By the root of the mean square over the last axes. */
  record RMSNorm(
      @Key(value = "The sizes of the last axes.", least = 1, most = 8)
          List<Integer> normalizedShape,
      @Key(value = "Added to the mean square.", otherwise = "1e-6") double eps)
      implements NormalizationCell {
    public RMSNorm {
      normalizedShape = List.copyOf(normalizedShape);
    }

    @Override
    public Cell build() {
      return new dev.halfcell.nn.RMSNorm(eps, Limits.shape("RMSNorm", normalizedShape));
    }
  }

  /** Over groups of channels. */
  record GroupNorm(
      @Key(value = "Groups.", least = 1, most = Limits.DIMENSION) int numGroups,
      @Key(value = "Channels.", least = 1, most = Limits.DIMENSION) int numChannels,
      @Key(value = "Added to the variance.", otherwise = "1e-5") double eps)
      implements NormalizationCell {
    @Override
    public Cell build() {
      return new dev.halfcell.nn.GroupNorm(numGroups, numChannels, eps);
    }
  }

  /** Drops a share of its input in training. */
  record Dropout(@Key("The share that is dropped, from 0 to below 1.") double p)
      implements NormalizationCell {
    @Override
    public Cell build() {
      return new dev.halfcell.nn.Dropout(p);
    }
  }
}
