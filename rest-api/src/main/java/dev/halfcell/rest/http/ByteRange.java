package dev.halfcell.rest.http;

import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A part of a file.
 *
 * @param from its first byte
 * @param length how many there are
 */
record ByteRange(long from, long length) {
  private static final Pattern ONE = Pattern.compile("bytes=(\\d{0,18})-(\\d{0,18})");

  /**
   * What {@code Range} asks for: none where it says nothing that is understood, or several ranges,
   * so that the whole is answered.
   *
   * @throws Refusal where there are no such bytes
   */
  static Optional<ByteRange> of(Optional<String> header, long size) {
    Matcher said = ONE.matcher(header.orElse(""));
    if (!said.matches() || (said.group(1).isEmpty() && said.group(2).isEmpty())) {
      return Optional.empty();
    }
    if (said.group(1).isEmpty()) {
      long last = Math.min(size, Long.parseLong(said.group(2)));
      return Optional.of(satisfiable(size - last, last, size));
    }
    long from = Long.parseLong(said.group(1));
    long to = said.group(2).isEmpty() ? size - 1 : Long.parseLong(said.group(2));
    if (to < from && !said.group(2).isEmpty()) {
      return Optional.empty();
    }
    return Optional.of(satisfiable(from, Math.min(to, size - 1) - from + 1, size));
  }

  private static ByteRange satisfiable(long from, long length, long size) {
    if (from >= size || length <= 0) {
      throw Refusal.of(ProblemKind.RANGE_NOT_SATISFIABLE, "There are " + size + " bytes.")
          .with("Content-Range", "bytes */" + size);
    }
    return new ByteRange(from, length);
  }

  String header(long size) {
    return "bytes " + from + "-" + (from + length - 1) + "/" + size;
  }
}
