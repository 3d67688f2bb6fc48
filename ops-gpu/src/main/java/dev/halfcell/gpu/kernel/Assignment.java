package dev.halfcell.gpu.kernel;

import dev.halfcell.gpu.driver.DeviceMemory;
import dev.halfcell.gpu.driver.GpuKernel.Argument;
import dev.halfcell.gpu.driver.GpuKernel.Size;
import java.util.ArrayList;
import java.util.List;
import java.util.function.ToLongFunction;

/**
 * The end of a step, on the device: {@code to} becomes {@code from}, unless the byte {@code apply}
 * is 0 or there was a problem. See {@code state.cu}.
 */
public record Assignment(DeviceMemory from, DeviceMemory to, DeviceMemory apply) {
  /** What is known of so many goes with a launch. */
  private static final int ASSIGNED = 64;

  private static final int MOST_BLOCKS = 256;

  /**
   * The launches of several, none of which reads what another one changes.
   *
   * @param problem where kernels note what cannot be computed on
   */
  public static List<Launch> all(
      KernelLibrary kernels, List<Assignment> assignments, DeviceMemory problem) {
    List<Launch> launches = new ArrayList<>();
    for (int first = 0; first < assignments.size(); first += ASSIGNED) {
      int behind = Math.min(assignments.size(), first + ASSIGNED);
      launches.add(launch(kernels, assignments.subList(first, behind), problem));
    }
    return launches;
  }

  private static Launch launch(
      KernelLibrary kernels, List<Assignment> assignments, DeviceMemory problem) {
    List<Long> words = new ArrayList<>();
    List<ToLongFunction<Assignment>> columns =
        List.of(
            each -> each.from.address(),
            each -> each.to.address(),
            each -> each.apply.address(),
            each -> each.to.bytes());
    for (ToLongFunction<Assignment> column : columns) {
      for (int i = 0; i < ASSIGNED; i++) {
        words.add(i < assignments.size() ? column.applyAsLong(assignments.get(i)) : 0);
      }
    }
    long most = assignments.stream().mapToLong(each -> each.to.bytes()).max().orElse(0);
    int blocks =
        Math.toIntExact(Math.clamp(Math.ceilDiv(most, KernelLaunch.THREADS), 1, MOST_BLOCKS));
    return new KernelLaunch(
        kernels.kernel("state", "assign_all"),
        new Size(blocks, assignments.size(), 1),
        Size.of(KernelLaunch.THREADS),
        List.of(new Argument.Words(words), new Argument.Address(problem)));
  }
}
