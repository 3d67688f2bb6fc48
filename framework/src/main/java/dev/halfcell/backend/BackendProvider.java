package dev.halfcell.backend;

import java.util.List;

/**
 * How a backend is found and opened. Looking costs nothing: native libraries are loaded by {@link
 * #open} and not before. Providers are registered for {@link java.util.ServiceLoader}.
 */
public interface BackendProvider {
  /** The name users choose the backend by. */
  String name();

  /**
   * Whether {@code auto} may choose it, and before which others: higher goes first, below 0 only by
   * name.
   */
  int preference();

  /** The most threads that it can compute with here: as many as it does where none are said. */
  int threads();

  /**
   * Opens the backend.
   *
   * @param threads that compute, from 1 to {@link #threads()}
   * @throws dev.halfcell.tensor.HalfCellException naming what is missing and what to do
   */
  Backend open(int threads);

  /** A line for each fact that {@code doctor} prints: versions, dtypes, what is missing. */
  List<String> diagnose();
}
