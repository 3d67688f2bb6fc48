package dev.halfcell.cpu.onednn;

/**
 * One tensor of a primitive.
 *
 * @param role what it is to the primitive
 * @param descriptor how it lies in memory
 * @param region the memory
 * @param offset where it begins in the memory, in bytes
 */
public record Argument(Role role, Descriptor descriptor, Region region, long offset) {
  /** What a tensor is to a primitive: DNNL_ARG_ and the name. */
  public enum Role {
    SRC(1),
    DST(17),
    WEIGHTS(33),
    BIAS(41),
    SCRATCHPAD(80),
    DIFF_SRC(129),
    DIFF_DST(145),
    DIFF_WEIGHTS(161),
    DIFF_BIAS(169);

    final int code;

    Role(int code) {
      this.code = code;
    }
  }
}
