package dev.halfcell.gpu.library;

import dev.halfcell.gpu.driver.GpuStream;

/** Something that an opened library computes, with all that it has to be told. */
interface LibraryCall {
  /** See {@link LibraryTask#workspaceBytes}. */
  long workspaceBytes();

  /**
   * Queues it, or records it where the stream is captured. Nothing is taken, and nothing waited
   * for.
   *
   * @throws dev.halfcell.gpu.driver.LibraryException where the library refuses; nothing is queued
   *     then
   */
  void queue(GpuStream stream, LibraryTask.Place place);

  /** Gives back what it was told. */
  void close();
}
