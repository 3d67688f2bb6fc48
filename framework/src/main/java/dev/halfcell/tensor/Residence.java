package dev.halfcell.tensor;

/**
 * Where else the elements of a tensor are, while a backend works on them in memory of its own. One
 * side may be newer than the other; the host learns of what is newer elsewhere only when it reads.
 */
public interface Residence {
  /** Brings the elements to the host's memory, where they are newer elsewhere. */
  void fetch();

  /** Takes note that the host's memory is about to be newer. */
  void written();
}
