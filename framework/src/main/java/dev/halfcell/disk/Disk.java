package dev.halfcell.disk;

import java.io.Closeable;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.List;

/**
 * Folders and files of a run. Whatever has to survive a crash goes through here, so that a test can
 * stop it at any operation. What was written lies on the disk for certain only after {@link
 * Output#force}, and a name that was made, changed or deleted only after {@link #force(Path)} of
 * its folder.
 */
public interface Disk {
  /** The file system of this machine. */
  static Disk local() {
    return new LocalDisk();
  }

  /** A file that is written from its start; what had this name before is emptied. */
  Output create(Path file) throws IOException;

  /** A file that is written behind what it holds; made where it is missing. */
  Output append(Path file) throws IOException;

  /**
   * A file to be read.
   *
   * @throws java.nio.file.NoSuchFileException where there is none
   */
  Input open(Path file) throws IOException;

  /** Gives a file another name of the same folder, at once, in the place of what has it. */
  void rename(Path from, Path to) throws IOException;

  /** Deletes a file, where it is there. */
  void delete(Path file) throws IOException;

  /** What a folder holds, sorted by name. */
  List<Path> list(Path folder) throws IOException;

  /**
   * Makes a folder where it is missing; its name is on the disk.
   *
   * @throws IOException where the folder around it is not there
   */
  void createFolder(Path folder) throws IOException;

  /** Makes a folder, and those around it, where they are missing; their names are on the disk. */
  void createFolders(Path folder) throws IOException;

  /** Returns when the names in a folder are on the disk. */
  void force(Path folder) throws IOException;

  /** A file that is being written. */
  interface Output extends Closeable {
    /** Writes all of these bytes. */
    void write(MemorySegment bytes) throws IOException;

    /** Returns when all that was written is on the disk. */
    void force() throws IOException;
  }

  /** A file that is being read. */
  interface Input extends Closeable {
    /** Its length in bytes. */
    long size() throws IOException;

    /**
     * Reads bytes from a place in the file.
     *
     * @return how many: fewer than asked for where the file ends
     */
    long read(long from, MemorySegment to) throws IOException;
  }
}
