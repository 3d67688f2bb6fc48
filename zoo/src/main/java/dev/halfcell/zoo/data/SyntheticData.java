package dev.halfcell.zoo.data;

import dev.halfcell.data.DataSet;
import dev.halfcell.tensor.ArgumentException;
import dev.halfcell.tensor.DType;
import dev.halfcell.tensor.Problem;
import dev.halfcell.tensor.Tensor;
import dev.halfcell.tensor.TensorSpec;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.stream.IntStream;

/**
 * Random numbers of a sample's shape and a random class for each, made once, with which any network
 * can be timed without a data set. There is nothing to learn in them, and there are no test
 * samples.
 *
 * <p>Numbers are uniform, of mean 0 and deviation 1, as normalised images are. There are {@link
 * #DIFFERENT} samples, each a window of the same row of numbers that begins {@link #STEP} places
 * behind the one before it; then they come again, with the same classes. Shapes: data FP32 as asked
 * for, label INT64 scalar. Immutable; threads may share it.
 */
public final class SyntheticData implements DataSet {
  /** Its name, in specifications too. */
  public static final String NAME = "synthetic";

  /** How many samples differ. */
  static final int DIFFERENT = 1024;

  static final int STEP = 16;
  private static final double REACH = Math.sqrt(3); // of uniform numbers of deviation 1

  private final TensorSpec form;
  private final int classes;
  private final int size;
  private final long seed;
  private final MemorySegment numbers;
  private final int[] labels;

  private SyntheticData(TensorSpec form, int classes, int size, long seed) {
    ArgumentException.require(
        form.dtype() == DType.FP32, NAME + " data", "samples of fp32", form.dtype().label());
    this.form = form;
    this.classes = classes;
    this.size = size;
    this.seed = seed;
    SplittableRandom random = new SplittableRandom(seed);
    this.labels = IntStream.range(0, DIFFERENT).map(_ -> random.nextInt(classes)).toArray();
    this.numbers = Arena.ofAuto().allocate(bytes(form), Float.BYTES);
    for (long i = 0; i < numbers.byteSize() / Float.BYTES; i++) {
      float number = (float) ((2 * random.nextDouble() - 1) * REACH);
      numbers.setAtIndex(ValueLayout.JAVA_FLOAT, i, number);
    }
  }

  /** What all samples take in memory. */
  private static long bytes(TensorSpec form) {
    return form.bytes() + (long) (DIFFERENT - 1) * STEP * Float.BYTES;
  }

  /** Data in the place of another data set: as many samples to train on, of as many classes. */
  public static DataSetDefinition inPlaceOf(DataSetDefinition other, TensorSpec sample, long seed) {
    int train = other.size().train();
    return new DataSetDefinition(
        NAME,
        "random numbers of the network's own shape, to time it with",
        "made where it is asked for",
        sample,
        other.classNames(),
        new DataSetDefinition.Size(train, 0, Math.ceilDiv(bytes(sample), train)),
        _ -> {},
        (choice, form) -> {
          choice.ifPresent(SyntheticData::refuse);
          return split(form, other.classes(), train, seed);
        },
        (file, _) -> {
          throw nothingLearned(file.toString());
        });
  }

  private static DataSplit split(TensorSpec form, int classes, int train, long seed) {
    String description =
        String.format(Locale.ROOT, "%s (seed %d, %,d train / no test)", NAME, seed, train);
    return new DataSplit(
        description,
        new SyntheticData(form, classes, train, seed),
        new SyntheticData(form, classes, 0, seed));
  }

  private static void refuse(String place) {
    throw new ArgumentException(
        new Problem(
            NAME + " data",
            place,
            "no place, for it is made and not read",
            "one",
            "Leave it out, or train on real data."));
  }

  /** What is said to who asks for more than times of a network that was trained on this. */
  public static ArgumentException nothingLearned(String where) {
    return new ArgumentException(
        new Problem(
            NAME + " data",
            where,
            "a run on real data",
            "one on random numbers, from which nothing is learned and which have no test samples",
            "Train on a data set; synthetic data is there to time a network with."));
  }

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public int size() {
    return size;
  }

  @Override
  public int classes() {
    return classes;
  }

  @Override
  public List<TensorSpec> sample() {
    return List.of(form, TensorSpec.of(DType.INT64));
  }

  @Override
  public void read(int index, List<Tensor> batch, int row) {
    int which = Objects.checkIndex(index, size) % DIFFERENT;
    long bytes = form.bytes();
    MemorySegment to = batch.getFirst().data();
    MemorySegment.copy(numbers, (long) which * STEP * Float.BYTES, to, row * bytes, bytes);
    batch.getLast().data().setAtIndex(ValueLayout.JAVA_LONG, row, labels[which]);
  }

  /** All of it follows from its seed; sizes, shape and classes are told by themselves. */
  @Override
  public void identify(MessageDigest sum) {
    sum.update((NAME + " from seed " + seed).getBytes(StandardCharsets.UTF_8));
  }
}
