package dev.halfcell.rest.client;

import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A precision plan: which cell of a network computes in which dtype, and why.
 *
 * @param level the precision level
 * @param half the 16-bit dtype
 * @param cells in their order, the network itself first
 * @param notes what else is to be known, for people
 * @param totals what it comes to
 * @param memory what a training would hold, where that can be told
 */
public record Plan(
    String level,
    String half,
    List<PlannedCell> cells,
    List<String> notes,
    Totals totals,
    Optional<Memory> memory) {
  public Plan {
    cells = List.copyOf(cells);
    notes = List.copyOf(notes);
  }

  /**
   * How a cell computes.
   *
   * @param path where it is in the network
   * @param cell its class
   * @param parameters the dtype of its own parameters, where it has any
   * @param compute the dtype that it computes in, or by which rule each of its ops finds its own,
   *     such as {@code per op}
   * @param output the dtype of what it gives
   * @param reason why it is so, for people
   */
  public record PlannedCell(
      String path,
      String cell,
      Optional<String> parameters,
      String compute,
      String output,
      String reason) {}

  /**
   * What a plan comes to in a training step.
   *
   * @param cells all of them
   * @param cellsInHalf those that compute in the 16-bit dtype
   * @param castsToHalf casts to the 16-bit dtype
   * @param castsToFp32 casts to FP32
   * @param activationBytes what the forward pass keeps for the backward pass
   * @param bytesSaved how much less that is than in FP32 throughout; below 0 where copies in both
   *     dtypes are kept
   */
  public record Totals(
      int cells,
      long cellsInHalf,
      long castsToHalf,
      long castsToFp32,
      long activationBytes,
      long bytesSaved) {}

  /**
   * Memory that a training would hold.
   *
   * @param bytes at most
   * @param parts what takes it, by name
   * @param device what lies in the memory that a device has for itself
   */
  public record Memory(long bytes, Map<String, Long> parts, Optional<OnDevice> device) {
    public Memory {
      parts = Collections.unmodifiableMap(parts);
    }
  }

  /**
   * Memory of a device that a training would hold.
   *
   * @param bytes at most
   * @param parts what takes it, by name
   */
  public record OnDevice(long bytes, Map<String, Long> parts) {
    public OnDevice {
      parts = Collections.unmodifiableMap(parts);
    }
  }
}
