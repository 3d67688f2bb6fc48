package dev.halfcell.cpu.onednn;

/**
 * What oneDNN chose for a computation ({@code dnnl_primitive_desc}), before it is made for certain
 * memory.
 *
 * @param handle the native object
 * @param implementation the name of the kernel it chose, for schedules
 */
public record Recipe(long handle, String implementation) {
  /** Whether it is oneDNN's plain, slow code. */
  public boolean slow() {
    return implementation.startsWith("ref") || implementation.contains("+ref");
  }

  /** Whether it multiplies small matrices in a row ({@code brgemm}): oneDNN's newer kernels. */
  boolean newer() {
    return implementation.startsWith("brg");
  }

  /** Whether it is an older kernel than {@code first}, for the same instructions. */
  boolean replaces(Recipe first) {
    return first.newer()
        && implementation.startsWith("jit")
        && !implementation.contains("brg") // behind a change of layout, jit_uni_ncsp
        && instructions().equals(first.instructions());
  }

  private String instructions() {
    return implementation.substring(implementation.lastIndexOf(':') + 1);
  }
}
