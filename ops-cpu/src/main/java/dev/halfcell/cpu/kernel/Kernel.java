package dev.halfcell.cpu.kernel;

import dev.halfcell.cpu.onednn.Handles;
import dev.halfcell.cpu.onednn.Primitive;
import dev.halfcell.cpu.onednn.Region;
import java.util.List;
import java.util.Map;

/**
 * One computation made for certain operands. It runs when all regions, its workspaces included, are
 * placed and it has been bound to their places.
 */
public final class Kernel implements AutoCloseable {
  private final Handles handles;
  private final List<Stage> stages;
  private final List<Region> workspaces;
  private final List<Primitive> primitives;
  private final Map<ScratchPool.Room, Long> scratch;
  private final String note;
  private final int reorders;

  Kernel(
      Handles handles,
      List<Stage> stages,
      List<Region> workspaces,
      List<Primitive> primitives,
      Map<ScratchPool.Room, Long> scratch,
      String note,
      int reorders) {
    this.handles = handles;
    this.stages = List.copyOf(stages);
    this.workspaces = List.copyOf(workspaces);
    this.primitives = List.copyOf(primitives);
    this.scratch = Map.copyOf(scratch);
    this.note = note;
    this.reorders = reorders;
  }

  /** What it does, stage by stage. */
  public List<Stage> stages() {
    return stages;
  }

  /** Memory that it needs while it runs and that keeps nothing in between. */
  public List<Region> workspaces() {
    return workspaces;
  }

  /** What it works in on the heap, and the most bytes that each has. */
  public Map<ScratchPool.Room, Long> scratch() {
    return scratch;
  }

  /** Which code computes, for schedules; empty where that is plain Java. */
  public String note() {
    return note;
  }

  /** How many tensors are brought into another layout, weights included. */
  public int reorders() {
    return reorders;
  }

  /** Takes over where the regions are now. */
  public void bind() {
    primitives.forEach(Primitive::bind);
  }

  /** Destroys the native objects. It cannot run afterwards. */
  @Override
  public void close() {
    handles.close();
  }
}
