package dev.halfcell.gpu.kernel;

import dev.halfcell.gpu.driver.DeviceMemory;
import dev.halfcell.gpu.library.ConvolutionProblem;
import dev.halfcell.gpu.library.LibraryTask;
import dev.halfcell.tensor.TensorSpec;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * A convolution, or its gradient by the image, of tensors whose channels lie last, by cuDNN: as
 * tensor cores want them, so that it has nothing to turn over.
 */
final class ConvolutionLast {
  private ConvolutionLast() {}

  /**
   * How it is computed; none where the library refuses.
   *
   * @param own the same by own kernels, of tensors that lie row by row
   */
  static Optional<Recipe> of(
      Code code, ConvolutionProblem problem, List<TensorSpec> in, TensorSpec out, Recipe own) {
    boolean fit = Stream.concat(in.stream(), Stream.of(out)).allMatch(ConvolutionLast::fit);
    return code.convolutions()
        .task(problem.turned())
        .filter(_ -> fit)
        .map(task -> recipe(code, task, in, out, own));
  }

  /** Whether images of this spec can be turned over, to and fro. */
  static boolean fit(TensorSpec images) {
    return TurnedMatrices.channelsLast(images.shape()).fit()
        && TurnedMatrices.channelsFirst(images.shape()).fit();
  }

  /** Works in the memory of own kernels, in that of the library, and in copies for own kernels. */
  private static Recipe recipe(
      Code code, LibraryTask task, List<TensorSpec> in, TensorSpec out, Recipe own) {
    int first = own.workspaces().size();
    List<Long> workspaces = new ArrayList<>(own.workspaces());
    workspaces.add(task.workspaceBytes());
    in.forEach(spec -> workspaces.add(spec.bytes()));
    workspaces.add(out.bytes());
    return new Recipe(
        code.convolutions().name(),
        workspaces,
        place -> {
          LibraryTask.Place of =
              new LibraryTask.Place(
                  place.in(0).memory(),
                  place.in(1).memory(),
                  DeviceMemory.NONE,
                  place.out(0).memory(),
                  place.workspaces().get(first));
          return List.of(
              new LibraryLaunch(task, of, List.of(), otherwise(code.kernels(), place, first, own)));
        });
  }

  private static List<Launch> otherwise(
      KernelLibrary kernels, Recipe.Place place, int first, Recipe own) {
    List<DeviceMemory> given = place.workspaces();
    List<Launch> launches = new ArrayList<>();
    List<DeviceTensor> in = new ArrayList<>();
    for (int i = 0; i < 2; i++) {
      DeviceMemory copy = given.get(first + 1 + i);
      launches.add(TurnedMatrices.rowMajor(kernels, place.in(i), copy));
      in.add(new DeviceTensor(place.in(i).spec(), copy));
    }
    DeviceTensor y = new DeviceTensor(place.out(0).spec(), given.get(first + 3));
    launches.addAll(
        own.binding()
            .at(new Recipe.Place(in, List.of(y), given.subList(0, first), place.problem())));
    launches.add(TurnedMatrices.channelsLast(kernels, y, place.out(0).memory()));
    return launches;
  }
}
