package dev.halfcell.plan;

import java.util.Map;

/**
 * One arena for all that the tasks of a program fill.
 *
 * @param offsets where the storage of each filled slot starts; views lie where their storage does
 * @param workspaces where the workspace of each task that has one starts, by its place
 * @param size the arena's size in bytes
 * @param bound the most bytes that are needed at one time; no arena can be smaller
 */
public record MemoryPlan(
    Map<Integer, Long> offsets, Map<Integer, Long> workspaces, long size, long bound) {
  public MemoryPlan {
    offsets = Map.copyOf(offsets);
    workspaces = Map.copyOf(workspaces);
  }
}
