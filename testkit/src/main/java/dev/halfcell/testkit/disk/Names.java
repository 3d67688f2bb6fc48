package dev.halfcell.testkit.disk;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Predicate;

/** The files of a disk by name: the names that are on it, and what changed since. */
final class Names {
  private final Map<Path, StoredFile> forced;
  private final Map<Path, StoredFile> current;
  private final List<Change> unforced = new ArrayList<>();

  /** One change of a name; it takes place at once or not at all. */
  sealed interface Change {
    Path path();

    void in(Map<Path, StoredFile> names);
  }

  private record Made(Path path, StoredFile file) implements Change {
    @Override
    public void in(Map<Path, StoredFile> names) {
      names.put(path, file);
    }
  }

  private record Renamed(Path from, Path path, StoredFile file) implements Change {
    @Override
    public void in(Map<Path, StoredFile> names) {
      names.remove(from);
      names.put(path, file);
    }
  }

  private record Deleted(Path path) implements Change {
    @Override
    public void in(Map<Path, StoredFile> names) {
      names.remove(path);
    }
  }

  Names(Map<Path, StoredFile> files) {
    this.forced = new TreeMap<>(files);
    this.current = new TreeMap<>(files);
  }

  void make(Path path, StoredFile file) {
    change(new Made(path, file));
  }

  void rename(Path from, Path to, StoredFile file) {
    change(new Renamed(from, to, file));
  }

  void delete(Path path) {
    change(new Deleted(path));
  }

  private void change(Change change) {
    change.in(current);
    unforced.add(change);
  }

  void force(Path folder) {
    Predicate<Change> within = change -> folder.equals(change.path().getParent());
    unforced.stream().filter(within).forEach(change -> change.in(forced));
    unforced.removeIf(within);
  }

  /** The files as a running program sees them. */
  Map<Path, StoredFile> current() {
    return current;
  }

  /** The files under the names on the disk, with those of the changes since that are kept. */
  Map<Path, StoredFile> with(Predicate<Change> kept) {
    Map<Path, StoredFile> names = new TreeMap<>(forced);
    unforced.stream().filter(kept).forEach(change -> change.in(names));
    return names;
  }
}
