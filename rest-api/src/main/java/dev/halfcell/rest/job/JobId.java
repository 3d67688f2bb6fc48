package dev.halfcell.rest.job;

import java.security.SecureRandom;
import java.util.HexFormat;
import java.util.Optional;

/**
 * A job's name: 128 random bits, so that nobody guesses that of another.
 *
 * @param text 32 hexadecimal digits in lower case
 */
public record JobId(String text) {
  private static final int BYTES = 16;
  private static final String PATH = "/v1/jobs/";

  public JobId {
    if (!isOne(text)) {
      throw new IllegalArgumentException("no job id: " + text.length() + " characters");
    }
  }

  private static boolean isOne(String text) {
    return text.length() == 2 * BYTES
        && text.chars().allMatch(c -> (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f'));
  }

  /** A new one. */
  public static JobId random(SecureRandom random) {
    byte[] bytes = new byte[BYTES];
    random.nextBytes(bytes);
    return new JobId(HexFormat.of().formatHex(bytes));
  }

  /** That of a text which somebody sent; none where it can be no job's. */
  public static Optional<JobId> parse(String text) {
    return isOne(text) ? Optional.of(new JobId(text)) : Optional.empty();
  }

  /** That of a job's own path; none of another. */
  public static Optional<JobId> ofPath(String path) {
    return path.startsWith(PATH) ? parse(path.substring(PATH.length())) : Optional.empty();
  }

  @Override
  public String toString() {
    return text;
  }
}
