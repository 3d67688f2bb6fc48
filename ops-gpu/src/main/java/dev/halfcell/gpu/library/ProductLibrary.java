package dev.halfcell.gpu.library;

import dev.halfcell.gpu.driver.GpuDevice;
import dev.halfcell.gpu.driver.LibraryException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Who multiplies matrices: cuBLASLt where it is found and works, else nobody here. Threads may
 * share it.
 */
public final class ProductLibrary implements AutoCloseable {
  /** What it is called. */
  public static final String NAME = "cuBLASLt";

  private static final String STEM = "libcublasLt";

  private final Optional<CublasLt> library;
  private final String why;
  private boolean closed;

  private ProductLibrary(Optional<CublasLt> library, String why) {
    this.library = library;
    this.why = why;
  }

  /**
   * Opens the first library that works. Where none does, {@link #fact} tells why, and every product
   * is left to others.
   */
  public static ProductLibrary open(GpuDevice device, LibrarySearch search) {
    List<String> failures = new ArrayList<>();
    for (String candidate : search.candidates(STEM)) {
      try {
        return new ProductLibrary(Optional.of(CublasLt.open(device, candidate)), "");
      } catch (LibraryException e) {
        if (!leadsNowhere(candidate, e)) {
          failures.add(e.getMessage());
        }
      }
    }
    failures.add(search.missing(STEM));
    return new ProductLibrary(Optional.empty(), failures.getFirst());
  }

  /** Whether the loader knows no library of this name, which is no fault. */
  private static boolean leadsNowhere(String candidate, LibraryException e) {
    return !candidate.contains("/") && e.getCause() != null;
  }

  /** How the library computes a product; none where there is no library, or where it refuses. */
  public Optional<Product> product(Multiplication of) {
    return library.flatMap(each -> each.product(of));
  }

  /** The version of the library, if there is one. */
  public Optional<String> version() {
    return library.map(CublasLt::version);
  }

  /** A line where own kernels compute what a library should: all, or what it refused first. */
  public List<String> notices() {
    if (library.isEmpty()) {
      return List.of(fact());
    }
    String refusal = library.get().refusal();
    return refusal.isEmpty()
        ? List.of()
        : List.of("some matrix products by own kernels: " + NAME + " refused " + refusal);
  }

  /** One line: who multiplies matrices, and why. */
  public String fact() {
    return library
        .map(
            each ->
                "matrix products by "
                    + NAME
                    + " "
                    + each.version()
                    + " ("
                    + each.file()
                    + ")"
                    + (each.refusal().isEmpty()
                        ? ""
                        : ", some by own kernels: it refused " + each.refusal()))
        .orElseGet(() -> "matrix products by own kernels: " + why);
  }

  /** Closing twice does nothing. */
  @Override
  public void close() {
    if (!closed) {
      closed = true;
      library.ifPresent(CublasLt::close);
    }
  }
}
