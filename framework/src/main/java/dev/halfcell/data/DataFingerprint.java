package dev.halfcell.data;

import dev.halfcell.tensor.Tensor;
import dev.halfcell.tensor.TensorScope;
import dev.halfcell.tensor.TensorSpec;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;

/**
 * Tells one data set from another, wherever it lies: SHA-256 of its sizes, of its first sample as
 * it is read, and of what it {@linkplain DataSet#identify says of all of them}. So it finds another
 * data set, another order, another preparation, and a single pixel or label that was changed.
 */
public final class DataFingerprint {
  private DataFingerprint() {}

  /** That of a data set, in hexadecimal digits. */
  public static String of(DataSet data) {
    MessageDigest sum = sha256();
    sum.update(
        (data.size() + " of " + data.sample() + ", " + data.classes() + " classes")
            .getBytes(StandardCharsets.UTF_8));
    samples(data, Math.min(1, data.size()), sum);
    data.identify(sum);
    return HexFormat.of().formatHex(sum.digest());
  }

  /** Adds the first of its samples, each as it is read. */
  static void samples(DataSet data, int count, MessageDigest sum) {
    try (TensorScope scope = TensorScope.open()) {
      List<Tensor> one =
          data.sample().stream()
              .map(part -> scope.allocate(new TensorSpec(part.dtype(), part.shape().behind(1))))
              .toList();
      for (int i = 0; i < count; i++) {
        data.read(i, one, 0);
        one.forEach(part -> sum.update(part.data().asByteBuffer()));
      }
    }
  }

  private static MessageDigest sha256() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java has SHA-256", e);
    }
  }
}
