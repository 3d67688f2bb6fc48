package dev.halfcell.testkit.disk;

import dev.halfcell.disk.Disk;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.LongConsumer;

/**
 * A disk in memory that counts its operations and is in {@link Trouble} at one of them. It keeps
 * apart what was forced and what was not, so that it can say what a power loss leaves. Names change
 * in the order in which they were changed or not at all, and independently of contents: a file that
 * was renamed and not forced may be empty. Folders are on the disk as soon as they are made.
 *
 * <p>Model: SQLite's test of crashes (docs "How SQLite Is Tested", 3.2 and 3.3), which makes every
 * operation fail in turn until none does.
 */
public final class CrashDisk implements Disk {
  private final Names names;
  private Trouble trouble = new Trouble.None();
  private LongConsumer watcher = _ -> {};
  private long operations;
  private boolean fired;

  /** A disk without files. */
  public CrashDisk() {
    this(Map.of());
  }

  private CrashDisk(Map<Path, StoredFile> files) {
    this.names = new Names(files);
  }

  /** Counts from 0 again, towards this trouble. */
  public void face(Trouble next) {
    trouble = next;
    operations = 0;
    fired = false;
  }

  /**
   * Counts from 0 again and calls back at each operation, where the power could fail: {@link
   * #afterPowerLoss} then says what that would leave.
   */
  public void watch(LongConsumer at) {
    face(new Trouble.None());
    watcher = at;
  }

  /** Whether the trouble has struck. */
  public boolean fired() {
    return fired;
  }

  /** The disk as it is when the machine starts again, without trouble. */
  public CrashDisk afterPowerLoss(Damage damage, long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    return switch (damage) {
      case FORCED_ONLY -> left(names.with(_ -> false), StoredFile::forced);
      case SOME -> left(names.with(_ -> random.nextBoolean()), file -> file.some(random));
      case TORN_LAST_WRITE -> left(names.with(_ -> true), file -> file.torn(random));
      case NAMES_WITHOUT_CONTENTS -> left(names.with(_ -> true), StoredFile::forced);
      case CONTENTS_WITHOUT_NAMES -> left(names.with(_ -> false), StoredFile::contents);
    };
  }

  private static CrashDisk left(
      Map<Path, StoredFile> files, Function<StoredFile, byte[]> contents) {
    Map<Path, StoredFile> left = new TreeMap<>();
    files.forEach((path, file) -> left.put(path, new StoredFile(contents.apply(file))));
    return new CrashDisk(left);
  }

  /** The files and what a running program reads in them, without an operation. */
  public Map<Path, byte[]> files() {
    Map<Path, byte[]> files = new TreeMap<>();
    names.current().forEach((path, file) -> files.put(path, file.contents()));
    return files;
  }

  /** Gives a file these contents for good, without an operation. */
  public void put(Path file, byte[] contents) {
    names.make(absolute(file), new StoredFile(contents.clone()));
    names.force(absolute(file).resolveSibling(""));
  }

  /** An operation that has an effect also where the power fails meanwhile. */
  private void operate(Runnable effect) throws IOException {
    boolean off = trouble instanceof Trouble.PowerFails && fired;
    operations++;
    if (!off && !(trouble instanceof Trouble.Fails && trouble.strikes(operations))) {
      effect.run();
    }
    strike();
  }

  private void strike() throws IOException {
    watcher.accept(operations);
    if (trouble.strikes(operations)) {
      fired = true;
      if (trouble instanceof Trouble.Fails fails) {
        throw fails.exception();
      }
      throw new PowerLoss(operations);
    }
  }

  /** An operation that changes nothing, or whose effect counts only when it has returned. */
  private void operate() throws IOException {
    operations++;
    strike();
  }

  @Override
  public Output create(Path file) throws IOException {
    StoredFile present = names.current().get(absolute(file));
    if (present != null) {
      operate(present::empty);
      return new Written(present);
    }
    return made(file);
  }

  @Override
  public Output append(Path file) throws IOException {
    StoredFile present = names.current().get(absolute(file));
    if (present != null) {
      operate();
      return new Written(present);
    }
    return made(file);
  }

  private Output made(Path file) throws IOException {
    StoredFile fresh = new StoredFile(new byte[0]);
    operate(() -> names.make(absolute(file), fresh));
    return new Written(fresh);
  }

  @Override
  public Input open(Path file) throws IOException {
    operate();
    return new Opened(present(file));
  }

  private StoredFile present(Path file) throws IOException {
    StoredFile present = names.current().get(absolute(file));
    if (present == null) {
      throw new NoSuchFileException(file.toString());
    }
    return present;
  }

  @Override
  public void rename(Path from, Path to) throws IOException {
    StoredFile file = present(from);
    operate(() -> names.rename(absolute(from), absolute(to), file));
  }

  @Override
  public void delete(Path file) throws IOException {
    operate(() -> names.delete(absolute(file)));
  }

  @Override
  public List<Path> list(Path folder) throws IOException {
    operate();
    return names.current().keySet().stream()
        .filter(path -> absolute(folder).equals(path.getParent()))
        .toList();
  }

  @Override
  public void createFolder(Path folder) throws IOException {
    operate();
  }

  @Override
  public void createFolders(Path folder) throws IOException {
    operate();
  }

  @Override
  public void force(Path folder) throws IOException {
    operate();
    names.force(absolute(folder));
  }

  private static Path absolute(Path path) {
    return path.toAbsolutePath().normalize();
  }

  private final class Written implements Output {
    private final StoredFile file;

    Written(StoredFile file) {
      this.file = file;
    }

    @Override
    public void write(MemorySegment bytes) throws IOException {
      byte[] copy = bytes.toArray(ValueLayout.JAVA_BYTE);
      operate(() -> file.append(copy));
    }

    @Override
    public void force() throws IOException {
      operate();
      file.force();
    }

    @Override
    public void close() {}
  }

  private final class Opened implements Input {
    private final byte[] contents;

    Opened(StoredFile file) {
      this.contents = file.contents();
    }

    @Override
    public long size() throws IOException {
      operate();
      return contents.length;
    }

    @Override
    public long read(long from, MemorySegment to) throws IOException {
      operate();
      int start = (int) Math.min(from, contents.length);
      int end = (int) Math.min(from + to.byteSize(), contents.length);
      to.copyFrom(MemorySegment.ofArray(Arrays.copyOfRange(contents, start, end)));
      return (long) end - start;
    }

    @Override
    public void close() {}
  }
}
