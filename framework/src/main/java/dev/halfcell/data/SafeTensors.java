package dev.halfcell.data;

import dev.halfcell.tensor.DataException;
import dev.halfcell.tensor.Problem;
import dev.halfcell.tensor.Tensor;
import dev.halfcell.tensor.TensorScope;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SequencedMap;
import java.util.TreeMap;

/**
 * The contents of a safetensors file: named tensors, and notes about them. Files are read strictly:
 * whatever is not exactly as the format demands is refused before anything of that size is
 * allocated. The same contents are written as the same bytes.
 *
 * <p>Source: Hugging Face, safetensors, README, "Format".
 *
 * @param tensors the tensors, in the order of the file
 * @param metadata the notes of {@code __metadata__}
 */
public record SafeTensors(SequencedMap<String, Tensor> tensors, Map<String, String> metadata) {
  static final long LENGTH_BYTES = 8;
  private static final long CHUNK = 1 << 28;

  public SafeTensors {
    tensors = Collections.unmodifiableSequencedMap(new LinkedHashMap<>(tensors));
    metadata = Collections.unmodifiableMap(new TreeMap<>(metadata));
  }

  /**
   * Reads a file into a scope.
   *
   * @throws DataException naming the file, where it cannot be read or is not what it should be
   */
  public static SafeTensors read(Path file, TensorScope scope) {
    try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
      long size = channel.size();
      byte[] bytes = header(channel, new Refusal(file), size);
      long start = LENGTH_BYTES + bytes.length;
      SafeTensorsHeader header = new HeaderReader(new Refusal(file), size - start).read(bytes);
      SequencedMap<String, Tensor> tensors = new LinkedHashMap<>();
      for (SafeTensorsHeader.Entry entry : header.entries()) {
        Tensor tensor = scope.allocate(entry.spec());
        fill(channel, new Refusal(file), start + entry.begin(), tensor.data());
        tensors.put(entry.name(), tensor);
      }
      return new SafeTensors(tensors, header.metadata());
    } catch (NoSuchFileException e) {
      throw new Refusal(file).because("a file", "none of this name", e);
    } catch (IOException e) {
      throw new Refusal(file).because("a file that can be read", String.valueOf(e.getMessage()), e);
    }
  }

  private static byte[] header(FileChannel channel, Refusal refusal, long size) throws IOException {
    refusal.unless(
        size >= LENGTH_BYTES + 2, "a header length of 8 bytes and a header", size + " bytes");
    ByteBuffer length = ByteBuffer.allocate((int) LENGTH_BYTES).order(ByteOrder.LITTLE_ENDIAN);
    fill(channel, refusal, 0, MemorySegment.ofBuffer(length));
    long claimed = length.getLong(0);
    long most = Math.min(size - LENGTH_BYTES, SafeTensorsHeader.MOST_BYTES);
    refusal.unless(
        claimed >= 2 && claimed <= most,
        "a header of 2 to " + most + " bytes",
        Long.toUnsignedString(claimed) + " in the header length");
    byte[] header = new byte[(int) claimed];
    fill(channel, refusal, LENGTH_BYTES, MemorySegment.ofArray(header));
    return header;
  }

  private static void fill(FileChannel channel, Refusal refusal, long from, MemorySegment to)
      throws IOException {
    long done = 0;
    while (done < to.byteSize()) {
      long part = Math.min(CHUNK, to.byteSize() - done);
      int read = channel.read(to.asSlice(done, part).asByteBuffer(), from + done);
      refusal.unless(read > 0, to.byteSize() + " bytes at " + from, "the end of the file");
      done += read;
    }
  }

  /**
   * Writes these contents: into a file beside the named one first, which takes its name when all of
   * it is on the disk.
   *
   * @throws DataException naming the file, where it cannot be written
   */
  public void write(Path file) {
    Path target = file.toAbsolutePath();
    Path folder = target.resolveSibling("");
    Path partial =
        folder.resolve(
            "." + target.getFileName() + "." + ProcessHandle.current().pid() + ".partial");
    try {
      try {
        writeAll(partial, SafeTensorsHeader.of(this, new Refusal(file)).encode());
        Files.move(partial, target, StandardCopyOption.ATOMIC_MOVE);
      } finally {
        Files.deleteIfExists(partial);
      }
      try (FileChannel directory = FileChannel.open(folder, StandardOpenOption.READ)) {
        directory.force(true);
      }
    } catch (IOException e) {
      throw new DataException(
          new Problem(
              "SafeTensors",
              file.toString(),
              "a file that can be written",
              e.getClass().getSimpleName() + ": " + e.getMessage(),
              "Check the folder, its permissions and the space on the disk."),
          e);
    }
  }

  private void writeAll(Path file, byte[] header) throws IOException {
    try (FileChannel channel =
        FileChannel.open(
            file,
            StandardOpenOption.CREATE,
            StandardOpenOption.TRUNCATE_EXISTING,
            StandardOpenOption.WRITE)) {
      ByteBuffer length = ByteBuffer.allocate((int) LENGTH_BYTES).order(ByteOrder.LITTLE_ENDIAN);
      drain(MemorySegment.ofBuffer(length.putLong(0, header.length)), channel);
      drain(MemorySegment.ofArray(header), channel);
      for (Tensor tensor : tensors.values()) {
        drain(tensor.data(), channel);
      }
      channel.force(true);
    }
  }

  private static void drain(MemorySegment from, FileChannel channel) throws IOException {
    for (long done = 0; done < from.byteSize(); done += CHUNK) {
      long part = Math.min(CHUNK, from.byteSize() - done);
      ByteBuffer bytes = from.asSlice(done, part).asByteBuffer();
      while (bytes.hasRemaining()) {
        channel.write(bytes);
      }
    }
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

    private Problem problem(String expected, String got) {
      return new Problem(
          "SafeTensors",
          file.toString(),
          expected,
          got,
          "Is it a complete safetensors file? Copy or write it again.");
    }
  }
}
