package dev.halfcell.gpu.library;

import dev.halfcell.gpu.driver.GpuDevice;
import dev.halfcell.gpu.driver.LibraryException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiFunction;

/**
 * A library of NVIDIA where it is found and works, else nobody. What it was asked for once it
 * remembers, so that a plan finds everything made when it is captured, and knows what the library
 * refuses. Threads may share it.
 *
 * @param <K> what it can be asked for
 */
public final class NvidiaLibrary<K> implements AutoCloseable {
  private static final Kind PRODUCTS =
      new Kind("cuBLASLt", "matrix products", new LibraryFile("libcublasLt", List.of(13, 12)));
  private static final Kind CONVOLUTIONS =
      new Kind("cuDNN", "convolutions", new LibraryFile("libcudnn_graph", List.of(9)));

  private static final long LEAST_WORKSPACE = 256L << 20;
  private static final int WORKSPACES = 32;

  private final GpuDevice device;
  private final Kind kind;
  private final Optional<OpenedLibrary<K>> library;
  private final String why;
  private final Map<K, Optional<LibraryTask>> tasks = new HashMap<>();
  private String refusal = "";
  private long lost;
  private boolean closed;

  private NvidiaLibrary(
      GpuDevice device, Kind kind, Optional<OpenedLibrary<K>> library, String why) {
    this.device = device;
    this.kind = kind;
    this.library = library;
    this.why = why;
  }

  private record Kind(String name, String what, LibraryFile file) {}

  /** Who multiplies matrices: cuBLASLt. */
  public static NvidiaLibrary<Multiplication> products(GpuDevice device, LibrarySearch search) {
    return open(device, search, PRODUCTS, CublasLt::open);
  }

  /** Who convolves: cuDNN. */
  public static NvidiaLibrary<ConvolutionProblem> convolutions(
      GpuDevice device, LibrarySearch search) {
    return open(device, search, CONVOLUTIONS, Cudnn::open);
  }

  /**
   * Opens the first library that works. Where none does, {@link #fact} tells why, and everything is
   * left to others.
   */
  private static <K> NvidiaLibrary<K> open(
      GpuDevice device,
      LibrarySearch search,
      Kind kind,
      BiFunction<GpuDevice, String, OpenedLibrary<K>> opens) {
    List<String> failures = new ArrayList<>();
    for (String candidate : search.candidates(kind.file)) {
      try {
        OpenedLibrary<K> opened = opens.apply(device, candidate);
        return new NvidiaLibrary<>(device, kind, Optional.of(opened), "");
      } catch (LibraryException e) {
        if (!leadsNowhere(candidate, e)) {
          failures.add(e.getMessage());
        }
      }
    }
    failures.add(search.missing(kind.file));
    return new NvidiaLibrary<>(device, kind, Optional.empty(), failures.getFirst());
  }

  /** Whether the loader knows no library of this name, which is no fault. */
  private static boolean leadsNowhere(String candidate, LibraryException e) {
    return !candidate.contains("/") && e.getCause() != null;
  }

  /** The most memory that one task may work in, in bytes: a small part of the device's. */
  public long mostWorkspaceBytes() {
    return mostWorkspaceBytes(device);
  }

  static long mostWorkspaceBytes(GpuDevice device) {
    return Math.max(LEAST_WORKSPACE, device.totalBytes() / WORKSPACES);
  }

  /** What it is called. */
  public String name() {
    return kind.name;
  }

  /** How it computes something; none where there is no library, or where it refuses. */
  public synchronized Optional<LibraryTask> task(K of) {
    return library.flatMap(
        opened -> tasks.computeIfAbsent(of, _ -> made(opened, of)).filter(LibraryTask::usable));
  }

  private Optional<LibraryTask> made(OpenedLibrary<K> opened, K of) {
    device.enter();
    try {
      return Optional.of(new LibraryTask(opened.make(of), e -> lose(of, e)));
    } catch (LibraryException e) {
      refuse(of, e);
      return Optional.empty();
    }
  }

  private synchronized void lose(K of, LibraryException why) {
    lost++;
    refuse(of, why);
  }

  /** How many tasks it made that failed when they were queued. */
  public synchronized long lostTasks() {
    return lost;
  }

  /** The first refusal is kept in words. */
  private synchronized void refuse(K of, LibraryException why) {
    if (refusal.isEmpty()) {
      refusal = of + ": " + why.getMessage();
    }
  }

  /** The version of the library, if there is one. */
  public Optional<String> version() {
    return library.map(OpenedLibrary::version);
  }

  /** A line where own kernels compute what a library should: all, or what it refused first. */
  public synchronized List<String> notices() {
    if (library.isEmpty()) {
      return List.of(fact());
    }
    return refusal.isEmpty()
        ? List.of()
        : List.of("some " + kind.what + " by own kernels: " + kind.name + " refused " + refusal);
  }

  /** One line: who computes, and why. */
  public synchronized String fact() {
    return library
        .map(
            each ->
                "%s by %s %s (%s)%s"
                    .formatted(
                        kind.what,
                        kind.name,
                        each.version(),
                        each.file(),
                        refusal.isEmpty() ? "" : ", some by own kernels: it refused " + refusal))
        .orElseGet(() -> kind.what + " by own kernels: " + why);
  }

  /** Nothing of it may be queued any more. Closing twice does nothing. */
  @Override
  public synchronized void close() {
    if (!closed) {
      closed = true;
      tasks.values().forEach(each -> each.ifPresent(LibraryTask::close));
      tasks.clear();
      library.ifPresent(OpenedLibrary::close);
    }
  }
}
