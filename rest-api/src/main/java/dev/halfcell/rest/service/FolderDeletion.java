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
  private FolderDeletion() {}

  /** Does so; what is not there needs no deleting. */
  static void delete(Path folder) {
    try {
      Files.walkFileTree(folder, new FolderDeletion());
    } catch (NoSuchFileException _) {
      // It is gone: what was wanted.
    } catch (IOException e) {
      throw DataException.unwritable("artifacts", folder, e);
    }
  }

  @Override
  public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
    Files.deleteIfExists(file);
    return FileVisitResult.CONTINUE;
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
