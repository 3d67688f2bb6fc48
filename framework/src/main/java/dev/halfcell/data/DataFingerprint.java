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
 * Tells one data set from another, wherever it lies: SHA-256 of its sizes and of at most {@value
 * #SAMPLES} samples from its first to its last. It finds another data set, another order and
 * another preparation; a change to a single sample among many it may not.
 */
public final class DataFingerprint {
  private static final int SAMPLES = 1024;

  private DataFingerprint() {}

  /** That of a data set, in hexadecimal digits. */
  public static String of(DataSet data) {
    MessageDigest sum = sha256();
    sum.update(
        (data.size() + " of " + data.sample() + ", " + data.classes() + " classes")
            .getBytes(StandardCharsets.UTF_8));
    try (TensorScope scope = TensorScope.open()) {
      List<Tensor> one =
          data.sample().stream()
              .map(part -> scope.allocate(new TensorSpec(part.dtype(), part.shape().behind(1))))
              .toList();
      int count = Math.min(SAMPLES, data.size());
      for (int i = 0; i < count; i++) {
        data.read((int) ((long) i * (data.size() - 1) / Math.max(1, count - 1)), one, 0);
        one.forEach(part -> sum.update(part.data().asByteBuffer()));
      }
    }
    return HexFormat.of().formatHex(sum.digest());
  }

  private static MessageDigest sha256() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java has SHA-256", e);
    }
  }
}
