package dev.halfcell.zoo.run;

import dev.halfcell.tensor.DType;
import dev.halfcell.tensor.TensorSpec;
import java.util.List;
import java.util.stream.Stream;

/** The input signatures of training steps. */
public final class Signatures {
  private Signatures() {}

  /** What a step takes: the parts of {@code rows} samples, then their numbers. */
  public static List<TensorSpec> of(List<TensorSpec> sample, int rows) {
    Stream<TensorSpec> parts = sample.stream().map(part -> part.as(part.shape().behind(rows)));
    return Stream.concat(parts, Stream.of(TensorSpec.of(DType.INT64, rows))).toList();
  }
}
