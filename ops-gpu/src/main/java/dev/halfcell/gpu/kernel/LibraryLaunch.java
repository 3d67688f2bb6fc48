package dev.halfcell.gpu.kernel;

import dev.halfcell.gpu.driver.DeviceMemory;
import dev.halfcell.gpu.driver.GpuStream;
import dev.halfcell.gpu.library.LibraryTask;
import java.util.ArrayList;
import java.util.List;

/**
 * A task by a library of NVIDIA.
 *
 * @param behind what is launched when the library has computed
 * @param otherwise what is launched where the library refuses after all
 */
record LibraryLaunch(
    LibraryTask task, LibraryTask.Place place, List<Launch> behind, List<Launch> otherwise)
    implements Launch {
  LibraryLaunch {
    behind = List.copyOf(behind);
    otherwise = List.copyOf(otherwise);
  }

  /**
   * A task of two operands, and a bias where there is a third input, by a library.
   *
   * @param code what the library is called
   * @param own the same by own kernels
   */
  static Recipe recipe(String code, LibraryTask task, Recipe own) {
    long bytes = task.workspaceBytes();
    int pieces = own.workspaces().size();
    List<Long> workspaces = new ArrayList<>(own.workspaces());
    if (bytes > 0) {
      workspaces.add(bytes);
    }
    return new Recipe(
        code,
        workspaces,
        place -> {
          List<DeviceMemory> given = place.workspaces();
          Recipe.Place others =
              new Recipe.Place(place.in(), place.out(), given.subList(0, pieces), place.problem());
          DeviceMemory bias = place.in().size() > 2 ? place.in(2).memory() : DeviceMemory.NONE;
          return List.of(
              new LibraryLaunch(
                  task,
                  new LibraryTask.Place(
                      place.in(0).memory(),
                      place.in(1).memory(),
                      bias,
                      place.out(0).memory(),
                      bytes > 0 ? given.getLast() : DeviceMemory.NONE),
                  List.of(),
                  own.binding().at(others)));
        });
  }

  @Override
  public void on(GpuStream stream) {
    List<Launch> rest = task.queue(stream, place) ? behind : otherwise;
    rest.forEach(each -> each.on(stream));
  }
}
