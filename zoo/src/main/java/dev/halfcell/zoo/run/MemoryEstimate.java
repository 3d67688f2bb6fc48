package dev.halfcell.zoo.run;

import dev.halfcell.op.CellPath;
import dev.halfcell.tensor.MemoryException;
import dev.halfcell.tensor.Problem;
import dev.halfcell.tensor.TensorSpec;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * The most memory that a run will hold, known before any of it is taken: the peak resident set of a
 * process that was started with HalfCell's own options for Java ({@link
 * dev.halfcell.zoo.host.JavaOptions}).
 *
 * <p>What is in the heap is measured once: the program itself, and an average for each kernel. What
 * a device's driver takes of the machine is an allowance. All else is exact: the step is traced and
 * planned as it will be run, with no memory behind it, and all sizes are those that are then
 * allocated. No sum can overflow: a tensor has less than 2³¹ elements, and a graph far less than
 * 2²⁰ tensors.
 *
 * @param parts what takes it, none twice
 * @param device what lies in the memory that a device has for itself; none where it has none
 * @param largest the largest tensor of the step, for who has to make it smaller
 */
public record MemoryEstimate(List<Part> parts, Optional<OnDevice> device, Largest largest) {
  private static final double GIB = 1L << 30;
  private static final double MIB = 1L << 20;

  /**
   * What takes memory.
   *
   * @param name stable, in snake_case: others read it
   */
  public record Part(String name, long bytes) {}

  /**
   * What a device holds.
   *
   * @param name the device's
   * @param parts what takes its memory, none twice
   * @param limit all that it has; the driver's own share and what others use are not looked at
   */
  public record OnDevice(String name, List<Part> parts, long limit) {
    public OnDevice {
      parts = List.copyOf(parts);
    }

    /** All parts together. */
    public long bytes() {
      return sum(parts);
    }

    /** Whether it has so much. */
    public boolean fits() {
      return bytes() <= limit;
    }

    private void require() {
      if (!fits()) {
        throw new MemoryException(
            new Problem(
                "memory",
                "",
                "at most " + size(limit) + ", the memory of device " + name,
                "about " + text(),
                MemoryLimit.LESS + "."));
      }
    }

    /** In words. */
    private String text() {
      return size(bytes()) + " on " + name + " (" + most(parts) + ")";
    }
  }

  /** A tensor, and the cell that it belongs to. */
  public record Largest(CellPath at, TensorSpec spec) {}

  public MemoryEstimate {
    parts = List.copyOf(parts);
  }

  /** All parts together. */
  public long bytes() {
    return sum(parts);
  }

  private static long sum(List<Part> parts) {
    return parts.stream().mapToLong(Part::bytes).sum();
  }

  /**
   * Throws where it is more than may be taken.
   *
   * @throws MemoryException with all figures
   */
  void require(MemoryLimit limit) {
    if (bytes() > limit.bytes()) {
      throw new MemoryException(
          new Problem(
              "memory",
              "",
              "at most " + size(limit.bytes()) + ", " + limit.whose(),
              text(),
              limit.advice()));
    }
    device.ifPresent(OnDevice::require);
  }

  /** In words: the whole, then the parts that count, the largest first. */
  public String text() {
    return "about %s (%s)%s; largest tensor: %s %s"
        .formatted(
            size(bytes()),
            most(parts),
            device.map(held -> ", and " + held.text()).orElse(""),
            largest.at(),
            largest.spec());
  }

  private static String most(List<Part> parts) {
    long all = sum(parts);
    return parts.stream()
        .filter(part -> part.bytes() * 100 >= all)
        .sorted(Comparator.comparingLong(Part::bytes).reversed())
        .map(part -> part.name().replace('_', ' ') + " " + size(part.bytes()))
        .collect(Collectors.joining(", "));
  }

  private static String size(long bytes) {
    return bytes >= GIB
        ? String.format(Locale.ROOT, "%.1f GiB", bytes / GIB)
        : String.format(Locale.ROOT, "%.1f MiB", bytes / MIB);
  }
}
