package dev.halfcell.rest.client;

/**
 * Some bytes of a log.
 *
 * @param from the place of the first
 * @param bytes text in UTF-8, which may begin and end within a line, or within a character
 * @param length of the whole log by then
 */
public record LogPart(long from, byte[] bytes, long length) {
  /** The place behind the last. */
  public long end() {
    return from + bytes.length;
  }
}
