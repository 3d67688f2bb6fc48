package dev.halfcell.gpu.kernel;

import dev.halfcell.gpu.driver.GpuKernel;
import dev.halfcell.gpu.driver.GpuKernel.Argument;
import dev.halfcell.gpu.driver.GpuKernel.Size;
import dev.halfcell.op.CellPath;
import dev.halfcell.op.attention.Attention;
import dev.halfcell.op.attention.ScaledDotProductAttention;
import dev.halfcell.op.attention.ScaledDotProductAttentionGradient;
import dev.halfcell.tensor.TensorSpec;
import java.util.ArrayList;
import java.util.List;

/**
 * Attention and its gradients, by tiles of queries and keys: {@code attention.cu} and {@code
 * attention_gradient.cu}. No more of the scores than a tile is ever kept.
 */
final class AttentionKernels {
  private static final int TILE = 32;
  private static final int CHUNK = 128;
  private static final int MOST_CHUNKS = 65535;
  private static final Size BLOCK = Size.of(256);

  private final KernelLibrary kernels;
  private final TensorSpec q;
  private final TensorSpec k;
  private final TensorSpec v;
  private final boolean causal;
  private final double scale;

  /** {@code in} begins with q, k and v. */
  private AttentionKernels(
      KernelLibrary kernels, List<TensorSpec> in, boolean causal, double scale) {
    this.kernels = kernels;
    this.q = in.get(0);
    this.k = in.get(1);
    this.v = in.get(2);
    this.causal = causal;
    this.scale = scale;
  }

  static Recipe of(KernelLibrary kernels, Attention op, List<TensorSpec> in, CellPath at) {
    TensorSpec first = in.getFirst();
    if (!ElementwiseKernels.COMPUTED.contains(first.dtype())) {
      throw Kernels.refusal(op.label(), "one in " + first.dtype().label(), at);
    }
    if (in.stream().limit(4).anyMatch(x -> x.rank() == 4 && chunks(x) > MOST_CHUNKS)) {
      throw Kernels.refusal(op.label(), "vectors as long as in " + in, at);
    }
    return switch (op) {
      case ScaledDotProductAttention(boolean causal, double scale) ->
          new AttentionKernels(kernels, in, causal, scale).forward();
      case ScaledDotProductAttentionGradient gradient ->
          new AttentionKernels(
                  kernels, in.subList(1, in.size()), gradient.causal(), gradient.scale())
              .backward(gradient);
    };
  }

  private Recipe forward() {
    return Recipe.of(
        place -> {
          List<Argument> arguments = inputs(place, 3);
          arguments.add(place.out(0).argument());
          arguments.add(place.out(1).argument());
          arguments.add(new Argument.Float32((float) scale));
          arguments.add(sizes(place, 3));
          GpuKernel kernel = kernels.kernel("attention", "attention", q.dtype());
          return List.of(new KernelLaunch(kernel, grid(q, chunks(v)), BLOCK, arguments));
        });
  }

  /** dq first, which leaves the mean of p · g of each query to the others. */
  private Recipe backward(ScaledDotProductAttentionGradient op) {
    return Recipe.of(
        List.of(Float.BYTES * q.shape().head(3).size()),
        place -> {
          List<Argument> given = inputs(place, 5);
          given.add(new Argument.Float32((float) scale));
          given.add(new Argument.Address(place.workspaces().getFirst()));
          List<Argument> ofQueries = new ArrayList<>(given);
          ofQueries.add(place.out(0).argument());
          ofQueries.add(flag(op.wideQuery()));
          ofQueries.add(sizes(place, 5));
          List<Argument> ofKeys = new ArrayList<>(given);
          ofKeys.add(place.out(1).argument());
          ofKeys.add(flag(op.wideKey()));
          ofKeys.add(place.out(2).argument());
          ofKeys.add(flag(op.wideValue()));
          ofKeys.add(sizes(place, 5));
          int columns = Math.max(chunks(k), chunks(v));
          return List.of(
              gradient("attention_query_gradient", grid(q, chunks(q)), ofQueries),
              gradient("attention_key_gradient", grid(k, columns), ofKeys));
        });
  }

  private Launch gradient(String name, Size grid, List<Argument> arguments) {
    GpuKernel kernel = kernels.kernel("attention_gradient", name, q.dtype());
    return new KernelLaunch(kernel, grid, BLOCK, arguments);
  }

  private static Argument flag(boolean holds) {
    return new Argument.Int32(holds ? 1 : 0);
  }

  /** Parts of the last axis. */
  private static int chunks(TensorSpec x) {
    return Math.ceilDiv(x.dim(3), CHUNK);
  }

  /** Blocks for all tiles of all heads of queries or keys, each for one chunk of a result. */
  private static Size grid(TensorSpec rows, int chunks) {
    long heads = rows.shape().head(2).size();
    long tiles = Math.ceilDiv(rows.dim(2), TILE);
    return new Size(Math.toIntExact(heads * tiles), chunks, 1);
  }

  /** The inputs, and the mask that may come after them. */
  private static List<Argument> inputs(Recipe.Place place, int mask) {
    List<Argument> arguments = new ArrayList<>();
    place.in().stream().map(DeviceTensor::argument).forEach(arguments::add);
    if (place.in().size() == mask) {
      arguments.add(KernelLaunch.NONE);
    }
    return arguments;
  }

  private Argument sizes(Recipe.Place place, int mask) {
    List<Long> words =
        new ArrayList<>(
            List.of(
                (long) q.dim(1),
                (long) q.dim(2),
                (long) k.dim(2),
                (long) q.dim(3),
                (long) v.dim(3),
                causal ? 1L : 0L));
    if (place.in().size() > mask) {
      View view = View.repeated(place.in(mask).spec().shape(), q.shape().head(3).then(k.dim(2)));
      view.axes().forEach(axis -> words.add(axis.stride()));
    } else {
      words.addAll(List.of(0L, 0L, 0L, 0L));
    }
    return new Argument.Words(words);
  }
}
