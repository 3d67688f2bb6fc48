package dev.halfcell.rest.service;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;

/** Adds up the files of a folder; what goes meanwhile, or is not there, counts nothing. */
final class FolderSize extends SimpleFileVisitor<Path> {
  private long bytes;

  private FolderSize() {}

  static long of(Path folder) {
    FolderSize size = new FolderSize();
    try {
      Files.walkFileTree(folder, size);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return size.bytes;
  }

  @Override
  public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
    bytes += attributes.size();
    return FileVisitResult.CONTINUE;
  }

  @Override
  public FileVisitResult visitFileFailed(Path file, IOException failure) {
    return FileVisitResult.CONTINUE;
  }
}
