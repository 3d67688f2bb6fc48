package dev.halfcell.testkit.disk;

import java.io.ByteArrayOutputStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;

/** The contents of a file: those that are on the disk, and the writes since. */
final class StoredFile {
  private final List<Write> unforced = new ArrayList<>();
  private byte[] forced;

  /** One thing done to the contents. */
  private sealed interface Write {}

  private record Emptied() implements Write {}

  private record Appended(byte[] bytes) implements Write {}

  StoredFile(byte[] forced) {
    this.forced = forced;
  }

  void empty() {
    unforced.add(new Emptied());
  }

  void append(byte[] bytes) {
    unforced.add(new Appended(bytes));
  }

  void force() {
    forced = contents();
    unforced.clear();
  }

  /** What a running program reads. */
  byte[] contents() {
    return with(unforced);
  }

  byte[] forced() {
    return forced;
  }

  /** Any of the writes; zeros stand for one that is missing before one that is there. */
  byte[] some(SplittableRandom random) {
    List<Write> kept = new ArrayList<>();
    int last = random.nextInt(unforced.size() + 1);
    for (Write write : unforced.subList(0, last)) {
      switch (write) {
        case Emptied _ -> kept.add(write);
        case Appended(byte[] bytes) ->
            kept.add(random.nextBoolean() ? write : new Appended(new byte[bytes.length]));
      }
    }
    return with(kept);
  }

  /** All writes, of the last one a part. */
  byte[] torn(SplittableRandom random) {
    if (unforced.isEmpty() || !(unforced.getLast() instanceof Appended(byte[] bytes))) {
      return contents();
    }
    List<Write> kept = new ArrayList<>(unforced);
    int length = random.nextInt(bytes.length + 1);
    kept.set(kept.size() - 1, new Appended(Arrays.copyOf(bytes, length)));
    return with(kept);
  }

  private byte[] with(List<Write> writes) {
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    all.writeBytes(forced);
    for (Write write : writes) {
      switch (write) {
        case Emptied _ -> all.reset();
        case Appended(byte[] bytes) -> all.writeBytes(bytes);
      }
    }
    return all.toByteArray();
  }
}
