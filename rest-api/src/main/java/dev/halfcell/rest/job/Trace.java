package dev.halfcell.rest.job;

import java.util.HexFormat;
import java.util.Optional;
import java.util.random.RandomGenerator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * By what a request is followed through all that it leads to, as W3C Trace Context has it.
 *
 * @param id of the whole, 32 hexadecimal digits
 * @param span of this part of it, 16 of them
 * @param parent of the part that led to it, where that was named
 * @param flags what its sender decided, 2 of them
 */
public record Trace(String id, String span, Optional<String> parent, String flags) {
  /** The header that names it. */
  public static final String HEADER = "traceparent";

  private static final Pattern FORM =
      Pattern.compile("([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(-.*)?");

  private static final String SAMPLED = "01";

  /**
   * A part of the trace that a {@code traceparent} names; of a new one where there is none, or one
   * that is not as it has to be.
   */
  public static Trace behind(Optional<String> parent, RandomGenerator random) {
    return parent
        .flatMap(text -> named(text, random))
        .orElseGet(() -> new Trace(hex(16, random), hex(8, random), Optional.empty(), SAMPLED));
  }

  private static Optional<Trace> named(String text, RandomGenerator random) {
    Matcher said = FORM.matcher(text);
    boolean right =
        said.matches()
            && !said.group(1).equals("ff")
            && (said.group(5) == null || !said.group(1).equals("00"))
            && !isZero(said.group(2))
            && !isZero(said.group(3));
    return right
        ? Optional.of(
            new Trace(said.group(2), hex(8, random), Optional.of(said.group(3)), said.group(4)))
        : Optional.empty();
  }

  private static boolean isZero(String digits) {
    return digits.chars().allMatch(c -> c == '0');
  }

  /** Another part of a trace whose id is known. */
  public static Trace of(String id, RandomGenerator random) {
    return new Trace(id, hex(8, random), Optional.empty(), SAMPLED);
  }

  /** All zeros are no id. */
  private static String hex(int bytes, RandomGenerator random) {
    byte[] made = new byte[bytes];
    random.nextBytes(made);
    made[0] |= 1;
    return HexFormat.of().formatHex(made);
  }

  /** As it is sent on, in {@code traceparent}. */
  public String header() {
    return "00-" + id + "-" + span + "-" + flags;
  }
}
