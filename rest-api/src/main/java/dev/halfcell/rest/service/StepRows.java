package dev.halfcell.rest.service;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.SeekableByteChannel;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.json.JsonFactory;

/** Reads the lines of a {@code metrics.jsonl} one by one, however many there are. */
final class StepRows {
  private static final JsonFactory JSON = new JsonFactory();
  private static final int BLOCK = 1 << 16;

  private final JsonParser in;
  private @Nullable String text;

  private StepRows(JsonParser in) {
    this.in = in;
  }

  /**
   * Tells of each line; of none where there is no file yet, and not of one that is half written.
   */
  static void read(Path file, Consumer<StepRow> told) {
    try (SeekableByteChannel bytes = Files.newByteChannel(file)) {
      var _ = read(bytes, 0, told);
    } catch (NoSuchFileException _) {
      // What is not there yet will be.
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /**
   * The same of the lines behind a place.
   *
   * @return the place behind the last of them
   */
  static long read(SeekableByteChannel file, long from, Consumer<StepRow> told) throws IOException {
    long end = lastLineEnd(file, from);
    file.position(from);
    try (InputStream bytes = new BufferedInputStream(part(file, end), BLOCK);
        JsonParser in = JSON.createParser(ObjectReadContext.empty(), bytes)) {
      StepRows rows = new StepRows(in);
      while (in.nextToken() != null) {
        told.accept(rows.row());
      }
      return end;
    } catch (JacksonException e) {
      throw new IllegalStateException("metrics that cannot be read", e);
    }
  }

  /** The place behind the last line that is whole; where to begin if there is none. */
  private static long lastLineEnd(SeekableByteChannel file, long from) throws IOException {
    ByteBuffer block = ByteBuffer.allocate(BLOCK);
    for (long end = file.size(); end > from; ) {
      long start = Math.max(from, end - BLOCK);
      fill(block.clear().limit((int) (end - start)), file, start);
      for (int i = block.position() - 1; i >= 0; i--) {
        if (block.get(i) == '\n') {
          return start + i + 1;
        }
      }
      end = start;
    }
    return from;
  }

  /** Reads what a file has from a place on, as much as there is room for. */
  static void fill(ByteBuffer bytes, SeekableByteChannel file, long place) throws IOException {
    file.position(place);
    while (bytes.hasRemaining() && file.read(bytes) >= 0) {
      // it may give less than it was asked for
    }
  }

  /** The bytes from where a file is at to a place; to be closed without it. */
  private static InputStream part(SeekableByteChannel file, long end) {
    InputStream all = Channels.newInputStream(file);
    return new InputStream() {
      @Override
      public int read() throws IOException {
        return file.position() < end ? all.read() : -1;
      }

      @Override
      public int read(byte[] to, int at, int length) throws IOException {
        long left = end - file.position();
        return left <= 0 ? -1 : all.read(to, at, (int) Math.min(length, left));
      }
    };
  }

  private StepRow row() {
    Map<String, Double> values = HashMap.newHashMap(16);
    boolean overflow = false;
    boolean applied = true;
    Optional<StepRow.Offender> offender = Optional.empty();
    while (in.nextToken() == JsonToken.PROPERTY_NAME) {
      String name = in.currentName();
      JsonToken token = in.nextToken();
      switch (name) {
        case "overflow" -> overflow = token == JsonToken.VALUE_TRUE;
        case "applied" -> applied = token == JsonToken.VALUE_TRUE;
        case "first_offender" -> offender = Optional.of(offender());
        default -> number(token).ifPresent(value -> values.put(name, value));
      }
    }
    Double step = values.remove("step");
    Double epoch = values.remove("epoch");
    return new StepRow(
        Optional.ofNullable(step).map(Double::longValue),
        epoch == null ? 0 : epoch.intValue(),
        values,
        overflow,
        applied,
        offender);
  }

  private Optional<Double> number(JsonToken token) {
    return switch (token) {
      case VALUE_NUMBER_INT, VALUE_NUMBER_FLOAT -> Optional.of(in.getDoubleValue());
      case VALUE_NULL -> Optional.of(Double.NaN);
      case VALUE_STRING -> {
        text = in.getString();
        yield Optional.empty();
      }
      default -> {
        in.skipChildren();
        yield Optional.empty();
      }
    };
  }

  private StepRow.Offender offender() {
    Map<String, String> texts = new HashMap<>();
    Map<String, Double> numbers = new HashMap<>();
    while (in.nextToken() == JsonToken.PROPERTY_NAME) {
      String name = in.currentName();
      text = null;
      number(in.nextToken()).ifPresent(value -> numbers.put(name, value));
      if (text != null) {
        texts.put(name, text);
      }
    }
    return new StepRow.Offender(
        texts.getOrDefault("path", ""),
        texts.getOrDefault("op", ""),
        texts.getOrDefault("direction", ""),
        texts.getOrDefault("dtype", ""),
        texts.getOrDefault("kind", "inf"),
        numbers.getOrDefault("zeros", Double.NaN),
        numbers.getOrDefault("subnormals", Double.NaN));
  }
}
