package dev.halfcell.gpu.kernel;

import dev.halfcell.gpu.driver.DeviceMemory;
import dev.halfcell.gpu.library.ConvolutionProblem;
import dev.halfcell.gpu.library.LibraryTask;
import dev.halfcell.tensor.DType;
import dev.halfcell.tensor.TensorSpec;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The gradient of a convolution by its weight in FP32, of operands in half, by a library that has
 * no fast engine for that: both operands are widened to FP32 and multiplied in TF32, which has all
 * digits of FP16 and of BF16, so that no product is rounded. On an H200 cuDNN 9.14 takes 62 µs for
 * 128 images of 16 channels by 32 x 32 so, 656 µs by its engine for half.
 */
final class WidenedWeightGradient {
  private WidenedWeightGradient() {}

  /** Whether there is room for the copies. */
  static boolean fits(Code code, List<TensorSpec> in) {
    long bytes = copies(in).stream().mapToLong(Long::longValue).sum();
    return bytes <= code.convolutions().mostWorkspaceBytes();
  }

  private static List<Long> copies(List<TensorSpec> in) {
    return in.stream().map(spec -> new TensorSpec(DType.FP32, spec.shape()).bytes()).toList();
  }

  /**
   * How it is computed; none where the library refuses.
   *
   * @param problem in half, to FP32
   * @param own the same by own kernels
   */
  static Optional<Recipe> of(
      Code code, ConvolutionProblem problem, List<TensorSpec> in, Recipe own) {
    return code.convolutions()
        .task(problem.widened())
        .map(task -> recipe(code, task, copies(in), own));
  }

  /** Works in the memory of own kernels, then in the copies, then in that of the library. */
  private static Recipe recipe(Code code, LibraryTask task, List<Long> copies, Recipe own) {
    int first = own.workspaces().size();
    List<Long> workspaces = new ArrayList<>(own.workspaces());
    workspaces.addAll(copies);
    if (task.workspaceBytes() > 0) {
      workspaces.add(task.workspaceBytes());
    }
    return new Recipe(
        code.convolutions().name(),
        workspaces,
        place -> {
          List<DeviceMemory> given = place.workspaces();
          DeviceMemory a = given.get(first);
          DeviceMemory b = given.get(first + 1);
          DeviceMemory work = task.workspaceBytes() > 0 ? given.getLast() : DeviceMemory.NONE;
          Recipe.Place others =
              new Recipe.Place(place.in(), place.out(), given.subList(0, first), place.problem());
          return List.of(
              PrecisionKernels.widened(code.kernels(), place.in(0), a),
              PrecisionKernels.widened(code.kernels(), place.in(1), b),
              new LibraryLaunch(
                  task,
                  new LibraryTask.Place(a, b, DeviceMemory.NONE, place.out(0).memory(), work),
                  own.binding().at(others)));
        });
  }
}
