package dev.halfcell.rest.service;

import dev.halfcell.tensor.DataException;
import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import org.jspecify.annotations.Nullable;

/** Deletes a folder with all that is in it; links are deleted, not followed. */
final class FolderDeletion extends SimpleFileVisitor<Path> {
  private long bytes;

  private FolderDeletion() {}

  /**
   * Does so; what is not there needs no deleting.
   *
   * @return how many bytes its files held
   */
  static long delete(Path folder) {
    FolderDeletion deletion = new FolderDeletion();
    try {
      Files.walkFileTree(folder, deletion);
    } catch (IOException e) {
      throw DataException.unwritable("artifacts", folder, e);
    }
    return deletion.bytes;
  }

  @Override
  public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
    if (Files.deleteIfExists(file)) {
      bytes += attributes.size();
    }
    return FileVisitResult.CONTINUE;
  }

  /** It is gone: what was wanted. Another server may be deleting the same. */
  @Override
  public FileVisitResult visitFileFailed(Path file, IOException failure) throws IOException {
    if (failure instanceof NoSuchFileException) {
      return FileVisitResult.CONTINUE;
    }
    throw failure;
  }

  @Override
  public FileVisitResult postVisitDirectory(Path folder, @Nullable IOException failure)
      throws IOException {
    if (failure != null) {
      throw failure;
    }
    Files.deleteIfExists(folder);
    return FileVisitResult.CONTINUE;
  }
}
