package dev.halfcell.data.augment;

import dev.halfcell.data.SampleChange;
import dev.halfcell.op.CellPath;
import dev.halfcell.op.random.RandomKey;
import dev.halfcell.tensor.ArgumentException;
import dev.halfcell.tensor.DType;
import dev.halfcell.tensor.Tensor;
import dev.halfcell.tensor.TensorSpec;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.stream.IntStream;

/**
 * A list of augmentations, applied one after the other to the first part of a sample: an FP32 image
 * [channels, height, width] or [height, width]. What is drawn follows from the seed and from the
 * sample's running number. Threads may share it.
 */
public final class Augmentations implements SampleChange {
  private final List<Augmentation> list;
  private final long[] streams;

  // What threads change images in: new memory for each image is the larger part of what one costs.
  private final Queue<Image> idle = new ConcurrentLinkedQueue<>();
  private final int[] size;

  private Augmentations(List<Augmentation> list, long[] streams, int[] size) {
    this.list = list;
    this.streams = streams;
    this.size = size;
  }

  /**
   * These augmentations of samples of this form.
   *
   * @param sample the specs of one sample's parts
   * @throws ArgumentException where the first part is no image, or one that an augmentation does
   *     not fit
   */
  public static Augmentations of(List<Augmentation> list, List<TensorSpec> sample, long seed) {
    TensorSpec first = sample.getFirst();
    int rank = first.rank();
    ArgumentException.require(
        first.dtype() == DType.FP32 && (rank == 2 || rank == 3),
        "augmentations",
        "samples whose first part is an fp32 image, [channels, height, width] or [height, width]",
        first);
    int[] size = {rank == 2 ? 1 : first.dim(0), first.dim(rank - 2), first.dim(rank - 1)};
    list.forEach(augmentation -> augmentation.requireFits(size[0], size[1], size[2]));
    long[] streams =
        IntStream.range(0, list.size())
            .mapToLong(i -> new RandomKey(seed, new CellPath("(data)/augment"), i).stream())
            .toArray();
    return new Augmentations(List.copyOf(list), streams, size);
  }

  @Override
  public void apply(List<Tensor> batch, int row, long number) {
    Image taken = idle.poll();
    Image changed = taken != null ? taken : new Image(size[0], size[1], size[2]);
    MemorySegment pixels = batch.getFirst().data();
    int count = changed.pixels().length;
    long offset = (long) row * count * Float.BYTES;
    MemorySegment.copy(pixels, ValueLayout.JAVA_FLOAT, offset, changed.pixels(), 0, count);
    for (int i = 0; i < streams.length; i++) {
      list.get(i).apply(changed, new Draws(streams[i], number));
    }
    MemorySegment.copy(changed.pixels(), 0, pixels, ValueLayout.JAVA_FLOAT, offset, count);
    idle.add(changed);
  }
}
