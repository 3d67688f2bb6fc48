package dev.halfcell.benchmarks.peers;

import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.NDList;
import ai.djl.ndarray.types.Shape;
import ai.djl.nn.Activation;
import ai.djl.nn.Block;
import ai.djl.nn.Blocks;
import ai.djl.nn.LambdaBlock;
import ai.djl.nn.ParallelBlock;
import ai.djl.nn.Parameter;
import ai.djl.nn.SequentialBlock;
import ai.djl.nn.convolutional.Conv2d;
import ai.djl.nn.core.Linear;
import ai.djl.nn.norm.BatchNorm;
import ai.djl.nn.norm.LayerNorm;
import ai.djl.nn.pooling.Pool;
import ai.djl.nn.recurrent.LSTM;
import ai.djl.nn.transformer.ScaledDotProductAttentionBlock;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * What DJL takes for layers: blocks of its own.
 *
 * @param block all of them, one after the other
 * @param ordered the blocks that have parameters, in the order in which layers describe them
 */
record DjlLayers(SequentialBlock block, List<Block> ordered) {
  private static final float EPSILON = 1e-5f;

  static DjlLayers of(List<Layer> layers) {
    DjlLayers made = new DjlLayers(new SequentialBlock(), new ArrayList<>());
    layers.forEach(layer -> made.block.add(made.layer(layer)));
    return made;
  }

  /** What is trained; they exist once the block is initialised. */
  Stream<Parameter> parameters() {
    return ordered.stream()
        .flatMap(part -> part.getParameters().values().stream())
        .filter(Parameter::requiresGradient);
  }

  private Block layer(Layer layer) {
    return switch (layer) {
      case Layer.Convolution convolution -> with(convolution(convolution));
      case Layer.BatchNorm _ -> with(BatchNorm.builder().optEpsilon(EPSILON).build());
      case Layer.Relu() -> Activation.reluBlock();
      case Layer.Gelu() -> Activation.geluBlock();
      case Layer.MaxPool(int side, int stride, int padding) ->
          Pool.maxPool2dBlock(square(side), square(stride), square(padding));
      case Layer.GlobalAveragePool() -> Pool.globalAvgPool2dBlock();
      case Layer.Flatten() -> Blocks.batchFlattenBlock();
      case Layer.Dense(_, int outputs) -> with(Linear.builder().setUnits(outputs).build());
      case Layer.Residual(List<Layer> branch, List<Layer> shortcut) -> residual(branch, shortcut);
      case Layer.LayerNorm _ -> with(LayerNorm.builder().axis(2).optEpsilon(EPSILON).build());
      case Layer.SelfAttention attention -> attention(attention);
      case Layer.Lstm lstm -> lstm(lstm);
      case Layer.MeanOfVectors() -> LambdaBlock.singleton(x -> x.mean(new int[] {1}));
    };
  }

  private Block with(Block part) {
    ordered.add(part);
    return part;
  }

  private static Block convolution(Layer.Convolution of) {
    return Conv2d.builder()
        .setKernelShape(square(of.kernel()))
        .optStride(square(of.stride()))
        .optPadding(square(of.padding()))
        .optBias(of.bias())
        .setFilters(of.outputs())
        .build();
  }

  private static Shape square(int side) {
    return new Shape(side, side);
  }

  private Block residual(List<Layer> branch, List<Layer> shortcut) {
    DjlLayers main = of(branch);
    DjlLayers beside = of(shortcut);
    ordered.addAll(main.ordered);
    ordered.addAll(beside.ordered);
    List<Block> both =
        List.of(main.block, shortcut.isEmpty() ? Blocks.identityBlock() : beside.block);
    return new ParallelBlock(
        out -> new NDList(out.get(0).singletonOrThrow().add(out.get(1).singletonOrThrow())), both);
  }

  /** By products and a softmax: DJL has no fused attention. */
  private Block attention(Layer.SelfAttention of) {
    ScaledDotProductAttentionBlock block =
        ScaledDotProductAttentionBlock.builder()
            .setEmbeddingSize(of.features())
            .setHeadCount(of.heads())
            .optAttentionProbsDropoutProb(0)
            .build();
    ordered.add(block.getQueryProjection());
    ordered.add(block.getKeyProjection());
    ordered.add(block.getValueProjection());
    ordered.add(block.getResultProjection());
    return block;
  }

  private Block lstm(Layer.Lstm of) {
    Block lstm =
        with(
            LSTM.builder()
                .setStateSize(of.hidden())
                .setNumLayers(of.layers())
                .optBatchFirst(true)
                .build());
    return new SequentialBlock().add(lstm).add(LambdaBlock.singleton(DjlLayers::last));
  }

  /** [N, T, F] → [N, F]. */
  private static NDArray last(NDArray x) {
    return x.get(":, -1");
  }
}
