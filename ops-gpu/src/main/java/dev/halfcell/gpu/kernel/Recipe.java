package dev.halfcell.gpu.kernel;

import dev.halfcell.gpu.driver.DeviceMemory;
import dev.halfcell.gpu.driver.GpuKernel.Argument;
import java.util.List;
import java.util.stream.Stream;

/**
 * How a task is computed, before it has memory.
 *
 * @param code whose code computes; empty for kernels of HalfCell
 * @param workspaces the bytes of each piece of memory that it needs while it runs, each of which
 *     starts on a boundary of 256 bytes
 * @param binding gives the launches when all memory is placed
 */
public record Recipe(String code, List<Long> workspaces, Binding binding) {
  public Recipe {
    workspaces = List.copyOf(workspaces);
  }

  /** One by own kernels. */
  static Recipe of(List<Long> workspaces, Binding binding) {
    return new Recipe("", workspaces, binding);
  }

  /** One by own kernels that needs no memory of its own. */
  static Recipe of(Binding binding) {
    return of(List.of(), binding);
  }

  /** Where a task finds what it reads and fills. */
  public record Place(
      List<DeviceTensor> in,
      List<DeviceTensor> out,
      List<DeviceMemory> workspaces,
      ProblemWord problem) {
    DeviceTensor in(int index) {
      return in.get(index);
    }

    DeviceTensor out(int index) {
      return out.get(index);
    }

    /** A piece of the task's own memory. */
    Argument.Address workspace(int index) {
      return new Argument.Address(workspaces.get(index));
    }

    /** All inputs in order, then all outputs. */
    List<Argument> arguments() {
      return Stream.concat(in.stream(), out.stream())
          .<Argument>map(DeviceTensor::argument)
          .toList();
    }
  }

  /** Gives the launches of a task in order. */
  @FunctionalInterface
  public interface Binding {
    /** The launches, on this memory. */
    List<Launch> at(Place place);
  }
}
