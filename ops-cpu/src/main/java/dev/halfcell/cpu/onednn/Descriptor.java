package dev.halfcell.cpu.onednn;

/**
 * How a tensor lies in memory, in oneDNN's words: dtype, sizes and layout.
 *
 * @param handle the native object; 0 means that there is no such tensor
 * @param bytes the room it takes
 */
public record Descriptor(long handle, long bytes) {
  /** No tensor, where one may be left out: a bias. */
  public static final Descriptor NONE = new Descriptor(0, 0);

  /** Whether there is a tensor. */
  public boolean present() {
    return handle != 0;
  }
}
