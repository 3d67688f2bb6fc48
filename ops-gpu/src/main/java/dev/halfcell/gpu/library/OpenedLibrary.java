package dev.halfcell.gpu.library;

/**
 * A library that was opened for a device.
 *
 * @param <K> what it can be asked for
 */
interface OpenedLibrary<K> {
  /** The file that was opened. */
  String file();

  /** Its version. */
  String version();

  /**
   * How it computes something.
   *
   * @throws dev.halfcell.gpu.driver.LibraryException where it refuses
   */
  LibraryCall make(K of);

  /** Ends its use. The library itself stays open. */
  void close();
}
