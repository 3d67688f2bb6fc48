package dev.halfcell.rest.service;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * The files of a log: the first has its name, each other one that and the place where it begins, so
 * that places stay what they are when a piece between is deleted.
 *
 * @param first the file that the log begins with
 */
record LogPieces(Path first) {
  private static final Pattern PLACE = Pattern.compile("\\.(\\d{20})");

  /**
   * A file.
   *
   * @param from the place of its first byte in the whole log
   * @param length how many bytes of it count
   */
  record Piece(Path file, long from, long length) {
    long end() {
      return from + length;
    }
  }

  /** Those that there are now, in their order. */
  List<Piece> all() throws IOException {
    List<Piece> found = new ArrayList<>();
    String name = String.valueOf(first.getFileName());
    Path folder = Objects.requireNonNull(first.toAbsolutePath().getParent(), "a log has a folder");
    try (Stream<Path> files = Files.list(folder)) {
      for (Path file : files.sorted().toList()) {
        String other = String.valueOf(file.getFileName());
        Matcher place = PLACE.matcher(other.substring(Math.min(name.length(), other.length())));
        if (other.equals(name)) {
          found.add(new Piece(file, 0, size(file)));
        } else if (other.startsWith(name) && place.matches()) {
          found.add(new Piece(file, Long.parseLong(place.group(1)), size(file)));
        }
      }
    } catch (NoSuchFileException _) {
      return List.of();
    }
    return withoutOverlap(found);
  }

  /** A worker that was taken for dead may have written behind the end of its piece. */
  private static List<Piece> withoutOverlap(List<Piece> pieces) {
    List<Piece> all = new ArrayList<>();
    for (int i = 0; i < pieces.size(); i++) {
      Piece piece = pieces.get(i);
      long most = i + 1 < pieces.size() ? pieces.get(i + 1).from() - piece.from() : Long.MAX_VALUE;
      all.add(new Piece(piece.file(), piece.from(), Math.min(piece.length(), most)));
    }
    return all;
  }

  private static long size(Path file) throws IOException {
    try {
      return Files.size(file);
    } catch (NoSuchFileException _) {
      return 0;
    }
  }

  /** The file of a piece that begins there. */
  Path file(long from) {
    return from == 0 ? first : first.resolveSibling(first.getFileName() + ".%020d".formatted(from));
  }
}
