package dev.halfcell.gpu;

import dev.halfcell.backend.Backend;
import dev.halfcell.backend.Capabilities;
import dev.halfcell.backend.Collective;
import dev.halfcell.backend.Graph;
import dev.halfcell.backend.Plan;
import dev.halfcell.backend.PlanOptions;
import dev.halfcell.backend.PlanReport;
import dev.halfcell.backend.Variables;
import dev.halfcell.gpu.driver.GpuDevice;
import dev.halfcell.gpu.kernel.Code;
import dev.halfcell.gpu.kernel.KernelLibrary;
import dev.halfcell.gpu.library.LibrarySearch;
import dev.halfcell.gpu.library.NvidiaLibrary;
import dev.halfcell.op.CellPath;
import dev.halfcell.op.Executor;
import dev.halfcell.op.Op;
import dev.halfcell.tensor.DType;
import dev.halfcell.tensor.Problem;
import dev.halfcell.tensor.TensorScope;
import dev.halfcell.tensor.TensorSpec;
import dev.halfcell.tensor.UsageException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.stream.Stream;

/**
 * NVIDIA GPUs from compute capability 8.0 on, by the driver alone, and by NVIDIA's libraries of
 * matrix products and convolutions where they are found. A step is queued and not waited for: what
 * it yields is copied to the host when somebody reads it. Threads may share it, as long as each
 * uses plans of its own.
 */
public final class GpuBackend implements Backend {
  /** The name users choose it by. */
  public static final String NAME = "gpu";

  private final GpuDevice device;
  private final Shared shared;
  private boolean closed;

  private GpuBackend(GpuDevice device, Code code) {
    this.device = device;
    this.shared = Shared.on(new GpuQueue(device), code);
  }

  /**
   * Opens the first GPU.
   *
   * @param driver a file to take for the driver; none for that of the system
   * @param libraries the only folders in which NVIDIA's libraries are looked for; none for all
   *     where they usually lie. Without a library own kernels compute.
   * @throws dev.halfcell.tensor.HalfCellException naming what is missing
   */
  public static GpuBackend open(Optional<Path> driver, Optional<List<Path>> libraries) {
    GpuDevice device = GpuDevice.open(driver, 0);
    Owned owned = new Owned();
    owned.atEnd(device::close);
    try {
      LibrarySearch search = LibrarySearch.of(libraries, System.getenv());
      Code code =
          new Code(
              new KernelLibrary(device),
              NvidiaLibrary.products(device, search),
              NvidiaLibrary.convolutions(device, search));
      owned.atEnd(code::close);
      return new GpuBackend(device, code);
    } catch (RuntimeException | Error e) {
      owned.close();
      throw e;
    }
  }

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public Capabilities capabilities() {
    return new Capabilities(
        Set.of(DType.FP32, DType.FP16, DType.BF16),
        Set.of(DType.FP64, DType.FP32, DType.FP16, DType.BF16));
  }

  @Override
  public boolean offers(Op op, List<TensorSpec> in) {
    device.enter();
    try {
      Compilation.of(shared.code(), GpuEager.graph(op, in, CellPath.ROOT), PlanOptions.PLAIN);
      return true;
    } catch (UsageException e) {
      return false;
    }
  }

  @Override
  public Map<String, String> versions() {
    int version = device.driverVersion();
    Map<String, String> versions = new LinkedHashMap<>();
    versions.put("gpu", device.name());
    versions.put("cuda driver", version / 1000 + "." + version % 1000 / 10);
    libraries()
        .forEach(each -> each.version().ifPresent(number -> versions.put(each.name(), number)));
    return versions;
  }

  @Override
  public OptionalLong ownMemory() {
    return OptionalLong.of(device.totalBytes());
  }

  private Stream<NvidiaLibrary<?>> libraries() {
    return Stream.of(shared.code().convolutions(), shared.code().products());
  }

  @Override
  public List<String> notices() {
    // A reader counts those that were told, so that what a library comes to say late is the last.
    libraries().flatMap(each -> each.notices().stream()).forEach(shared.notices()::add);
    return shared.notices().all();
  }

  /** What {@code doctor} prints. */
  List<String> facts() {
    Stream<String> facts =
        Stream.of(
            device.name() + ", compute capability " + device.capability() / 10.0,
            "CUDA driver " + versions().get("cuda driver"),
            device.freeBytes() + " of " + device.totalBytes() + " bytes free");
    return Stream.concat(facts, libraries().map(NvidiaLibrary::fact)).toList();
  }

  @Override
  public Executor eager(TensorScope scope) {
    GpuEager eager = new GpuEager(shared);
    return (op, in, at) -> {
      requireOpen();
      return eager.execute(op, in, at, scope);
    };
  }

  @Override
  public Plan compile(Graph graph, Variables state, PlanOptions options, Collective collective) {
    requireOpen();
    requireAlone(collective);
    device.enter();
    return GpuPlan.of(graph, state, Compilation.of(shared.code(), graph, options), shared);
  }

  private static void requireAlone(Collective collective) {
    if (collective.size() != 1) {
      throw new UsageException(
          new Problem(
              "gpu",
              "",
              "one rank",
              collective.size() + " ranks",
              "Train with one rank, or with --device cpu."));
    }
  }

  @Override
  public PlanReport measure(Graph graph, PlanOptions options) {
    requireOpen();
    device.enter();
    return Compilation.of(shared.code(), graph, options).report();
  }

  private void requireOpen() {
    if (closed) {
      throw new UsageException(
          new Problem("gpu", "", "an open backend", "one that is closed", "Open another backend."));
    }
  }

  /** Closes the plans that are still open, too. Closing twice does nothing. */
  @Override
  public synchronized void close() {
    if (!closed) {
      closed = true;
      device.enter();
      List.copyOf(shared.open()).forEach(GpuPlan::close);
      shared.code().close();
      shared.queue().close();
      device.close();
    }
  }
}
