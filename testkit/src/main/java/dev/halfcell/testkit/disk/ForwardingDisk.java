package dev.halfcell.testkit.disk;

import dev.halfcell.disk.Disk;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/** A disk that has another one do everything, for those that do some of it otherwise. */
public abstract class ForwardingDisk implements Disk {
  private final Disk disk;

  /** One in front of {@code disk}. */
  protected ForwardingDisk(Disk disk) {
    this.disk = disk;
  }

  @Override
  public Output create(Path file) throws IOException {
    return disk.create(file);
  }

  @Override
  public Output append(Path file) throws IOException {
    return disk.append(file);
  }

  @Override
  public Input open(Path file) throws IOException {
    return disk.open(file);
  }

  @Override
  public void rename(Path from, Path to) throws IOException {
    disk.rename(from, to);
  }

  @Override
  public void delete(Path file) throws IOException {
    disk.delete(file);
  }

  @Override
  public List<Path> list(Path folder) throws IOException {
    return disk.list(folder);
  }

  @Override
  public void createFolder(Path folder) throws IOException {
    disk.createFolder(folder);
  }

  @Override
  public void createFolders(Path folder) throws IOException {
    disk.createFolders(folder);
  }

  @Override
  public void force(Path folder) throws IOException {
    disk.force(folder);
  }
}
