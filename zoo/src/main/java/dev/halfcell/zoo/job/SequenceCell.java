package dev.halfcell.zoo.job;

import dev.halfcell.nn.Cell;
import dev.halfcell.nn.ReLU;
import dev.halfcell.nn.Recurrence;
import dev.halfcell.nn.TransformerConfig;

/** Cells over sequences [N, T, features], with the batch first. */
public sealed interface SequenceCell extends CellSpecification {
  /** Long short-term memory. */
  record LSTM(
      @Key(value = "Features of a step.", least = 1, most = Limits.DIMENSION) int inputSize,
      @Key(value = "Hidden units.", least = 1, most = Limits.DIMENSION) int hiddenSize,
      @Key(value = "Layers.", least = 1, most = 64, otherwise = "1") int numLayers,
      @Key(value = "Whether in both directions.", otherwise = "false") boolean bidirectional,
      @Key(value = "The share dropped between layers.", otherwise = "0") double dropout,
      @Key(value = "Whether the last state alone comes out.", otherwise = "false")
          boolean lastState)
      implements SequenceCell {
    @Override
    public Cell build() {
      return new dev.halfcell.nn.LSTM(
          recurrence(inputSize, hiddenSize, numLayers, bidirectional, dropout, lastState));
    }
  }

  /** Gated recurrent units. */
  record GRU(
      @Key(value = "Features of a step.", least = 1, most = Limits.DIMENSION) int inputSize,
      @Key(value = "Hidden units.", least = 1, most = Limits.DIMENSION) int hiddenSize,
      @Key(value = "Layers.", least = 1, most = 64, otherwise = "1") int numLayers,
      @Key(value = "Whether in both directions.", otherwise = "false") boolean bidirectional,
      @Key(value = "The share dropped between layers.", otherwise = "0") double dropout,
      @Key(value = "Whether the last state alone comes out.", otherwise = "false")
          boolean lastState)
      implements SequenceCell {
    @Override
    public Cell build() {
      return new dev.halfcell.nn.GRU(
          recurrence(inputSize, hiddenSize, numLayers, bidirectional, dropout, lastState));
    }
  }

  /** Self-attention and a feed-forward part, each with what went into it added. */
  record TransformerEncoderLayer(
      @Key(value = "Features of a step.", least = 1, most = Limits.DIMENSION) int dModel,
      @Key(value = "Heads, which divide the features.", least = 1, most = 1024) int nhead,
      @Key(value = "Hidden features.", least = 1, most = Limits.DIMENSION) int dimFeedforward,
      @Key(value = "The share that is dropped.", otherwise = "0") double dropout,
      @Key(value = "Whether it normalises first.", otherwise = "true") boolean normFirst)
      implements SequenceCell {
    @Override
    public Cell build() {
      Limits.requireElements("TransformerEncoderLayer", dModel, dModel);
      Limits.requireElements("TransformerEncoderLayer", dModel, dimFeedforward);
      return new dev.halfcell.nn.TransformerEncoderLayer(
          new TransformerConfig(dModel, nhead, dimFeedforward, dropout, normFirst, ReLU::new));
    }
  }

  private static Recurrence recurrence(
      int inputs, int hidden, int layers, boolean both, double dropout, boolean lastState) {
    Limits.requireElements("recurrent cell", 4, hidden, inputs);
    Limits.requireElements("recurrent cell", 8, hidden, hidden);
    Recurrence.Result result =
        lastState ? Recurrence.Result.LAST_STATE : Recurrence.Result.SEQUENCE;
    return new Recurrence(inputs, hidden, layers, both, true, dropout, result);
  }
}
