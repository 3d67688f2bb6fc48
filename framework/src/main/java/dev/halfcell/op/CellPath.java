package dev.halfcell.op;

/**
 * Where a cell or one of its parameters stands below the root of its network: {@code
 * /features/conv1/weight}.
 */
public record CellPath(String text) implements Comparable<CellPath> {
  /** The network itself. */
  public static final CellPath ROOT = new CellPath("/");

  /** The optimizer, the loss scale and all else of a step that belongs to no cell. */
  public static final CellPath STEP = new CellPath("(step)");

  /** The path of what is called {@code name} below this. */
  public CellPath child(String name) {
    return new CellPath(equals(ROOT) ? "/" + name : text + "/" + name);
  }

  /** The last part: what the parent calls it. */
  public String name() {
    return text.substring(text.lastIndexOf('/') + 1);
  }

  @Override
  public int compareTo(CellPath other) {
    return text.compareTo(other.text);
  }

  @Override
  public String toString() {
    return text;
  }
}
