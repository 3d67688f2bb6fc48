package dev.halfcell.data;

import dev.halfcell.disk.Disk;
import dev.halfcell.disk.WholeFile;
import dev.halfcell.tensor.DataException;
import dev.halfcell.tensor.Problem;
import dev.halfcell.tensor.Tensor;
import dev.halfcell.tensor.TensorScope;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SequencedMap;
import java.util.TreeMap;

/**
 * The contents of a safetensors file: named tensors, and notes about them. Files are read strictly:
 * whatever is not exactly as the format demands is refused before anything of that size is
 * allocated. The same contents are written as the same bytes, with checksums under {@code crc32c}
 * in the notes, which are no part of the contents.
 *
 * <p>Source: Hugging Face, safetensors, README, "Format".
 *
 * @param tensors the tensors, in the order of the file
 * @param metadata the notes of {@code __metadata__}
 */
public record SafeTensors(SequencedMap<String, Tensor> tensors, Map<String, String> metadata) {
  static final long LENGTH_BYTES = 8;

  public SafeTensors {
    tensors = Collections.unmodifiableSequencedMap(new LinkedHashMap<>(tensors));
    metadata = Collections.unmodifiableMap(new TreeMap<>(metadata));
  }

  /**
   * Reads a file into a scope. Checksums are compared where the file has them: other programs write
   * none.
   *
   * @throws DataException naming the file, where it cannot be read or is not what it should be
   */
  public static SafeTensors read(Path file, TensorScope scope) {
    return read(Disk.local(), file, scope);
  }

  /** The same of a file on that disk. */
  public static SafeTensors read(Disk disk, Path file, TensorScope scope) {
    return read(disk, file, scope, false);
  }

  /** The same of a file that HalfCell wrote: one without checksums is refused. */
  public static SafeTensors readChecked(Disk disk, Path file, TensorScope scope) {
    return read(disk, file, scope, true);
  }

  private static SafeTensors read(Disk disk, Path file, TensorScope scope, boolean checked) {
    try (Disk.Input in = disk.open(file)) {
      return new SafeTensorsReader(in, new Refusal(file), checked).read(scope);
    } catch (NoSuchFileException e) {
      throw new Refusal(file).because("a file", "none of this name", e);
    } catch (IOException e) {
      throw new Refusal(file).because("a file that can be read", e.toString(), e);
    }
  }

  /**
   * Writes these contents: all of them or, where that fails, none.
   *
   * @throws DataException naming the file, where it cannot be written
   */
  public void write(Path file) {
    write(Disk.local(), file);
  }

  /** The same on that disk. */
  public void write(Disk disk, Path file) {
    byte[] header = header(new Refusal(file));
    try {
      WholeFile.write(
          disk,
          file,
          to -> {
            MemorySegment length = MemorySegment.ofArray(new byte[(int) LENGTH_BYTES]);
            length.set(SafeTensorsReader.LENGTH, 0, header.length);
            to.write(length);
            to.write(MemorySegment.ofArray(header));
            for (Tensor tensor : tensors.values()) {
              to.write(tensor.data());
            }
          });
    } catch (IOException e) {
      throw DataException.unwritable("SafeTensors", file, e);
    }
  }

  private byte[] header(Refusal refusal) {
    refusal.unless(
        !metadata.containsKey(Checksums.KEY), "notes of other names", Checksums.KEY + ", taken");
    Map<String, String> notes = new TreeMap<>(metadata);
    notes.put(Checksums.KEY, Checksums.before(tensors.values()));
    byte[] header = SafeTensorsHeader.of(new SafeTensors(tensors, notes), refusal).encode();
    refusal.unless(
        header.length <= SafeTensorsHeader.MOST_BYTES,
        "a header of at most " + SafeTensorsHeader.MOST_BYTES + " bytes",
        header.length + " bytes of names and notes");
    Checksums.seal(header);
    return header;
  }

  /** The tensor of a name. */
  public Tensor tensor(String name) {
    Tensor tensor = tensors.get(name);
    if (tensor == null) {
      throw new DataException(
          new Problem(
              "SafeTensors", "", "a tensor " + name, List.copyOf(tensors.keySet()).toString(), ""));
    }
    return tensor;
  }

  /** How a file is refused. */
  record Refusal(Path file) {
    private static final int LONGEST = 1000;

    DataException because(String expected, String got, Throwable cause) {
      return new DataException(problem(expected, got), cause);
    }

    DataException missing(String expected, String got) {
      return new DataException(problem(expected, got));
    }

    void unless(boolean holds, String expected, String got) {
      if (!holds) {
        throw missing(expected, got);
      }
    }

    /** Names in a file may be long, or empty, or of characters that a terminal obeys. */
    private static String shown(String text) {
      String line = text.substring(0, Math.min(text.length(), LONGEST)).replaceAll("\\p{Cc}", "?");
      return line.isBlank() ? "''" : line + (text.length() > LONGEST ? "..." : "");
    }

    private Problem problem(String expected, String got) {
      return new Problem(
          "SafeTensors",
          file.toString(),
          shown(expected),
          shown(got),
          "Is it a complete safetensors file? Copy or write it again.");
    }
  }
}
