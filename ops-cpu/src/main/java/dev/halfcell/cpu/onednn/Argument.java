package dev.halfcell.cpu.onednn;

/**
 * One tensor of a primitive.
 *
 * @param role what it is to the primitive
 * @param descriptor how it lies in memory
 * @param region the memory
 * @param offset where it begins in the memory, in bytes
 * @param step how far it moves from one sample to the next, in bytes
 */
public record Argument(Role role, Descriptor descriptor, Region region, long offset, long step) {
  /** One that stays where it is. */
  public Argument(Role role, Descriptor descriptor, Region region, long offset) {
    this(role, descriptor, region, offset, 0);
  }

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
