package dev.halfcell.zoo.log;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** Reads event files as TensorBoard does, by the standards and not by the code that writes them. */
public final class BoardReader {
  private static final Pattern EVENT = Pattern.compile("1:\\S+ 2:(\\d+) ([57]):\\{(.*)}");
  private static final Pattern SCALAR = Pattern.compile("1:\\{1:(\\S+) 2:(\\S+)}");

  private BoardReader() {}

  /** Bit by bit after the definition of CRC-32C (RFC 3720, appendix B.4), without a table. */
  static int checksum(byte[] bytes) {
    int crc = ~0;
    for (byte next : bytes) {
      crc ^= next & 0xFF;
      for (int bit = 0; bit < 8; bit++) {
        crc = (crc & 1) == 0 ? crc >>> 1 : (crc >>> 1) ^ 0x82F63B78;
      }
    }
    int plain = ~crc;
    return ((plain >>> 15) | (plain << 17)) + 0xA282EAD8;
  }

  /** Reads records, demanding that lengths and checksums are right to the end of the file. */
  public static List<byte[]> records(Path file) throws IOException {
    ByteBuffer in = ByteBuffer.wrap(Files.readAllBytes(file)).order(ByteOrder.LITTLE_ENDIAN);
    List<byte[]> records = new ArrayList<>();
    while (in.hasRemaining()) {
      byte[] length = new byte[8];
      in.get(length);
      assertEquals(checksum(length), in.getInt());
      byte[] record =
          new byte[Math.toIntExact(ByteBuffer.wrap(length).order(in.order()).getLong())];
      in.get(record);
      assertEquals(checksum(record), in.getInt());
      records.add(record);
    }
    return records;
  }

  /** A message as text: field numbers in order, nested ones in braces. */
  static String text(byte[] message) {
    ByteBuffer in = ByteBuffer.wrap(message).order(ByteOrder.LITTLE_ENDIAN);
    StringBuilder text = new StringBuilder();
    while (in.hasRemaining()) {
      int key = in.get();
      text.append(key >> 3).append(':');
      switch (key & 7) {
        case 0 -> text.append(varint(in));
        case 1 -> text.append(in.getDouble());
        case 5 -> text.append(in.getFloat());
        default -> text.append(bytes(in, key >> 3));
      }
      text.append(' ');
    }
    return text.toString().strip();
  }

  private static long varint(ByteBuffer in) {
    byte next = in.get();
    return next < 0 ? next & 0x7F | varint(in) << 7 : next;
  }

  private static String bytes(ByteBuffer in, int field) {
    byte[] bytes = new byte[Math.toIntExact(varint(in))];
    in.get(bytes);
    boolean message = field == 5 || field == 7 || field == 1 && bytes[0] == 0x0A;
    return message ? "{" + text(bytes) + "}" : new String(bytes, StandardCharsets.UTF_8);
  }

  /**
   * What TensorBoard draws of a folder: by tag and step the number that was written. At each start
   * of a session but the first it forgets what it has of that step and of later ones.
   */
  public static Map<String, Map<Long, String>> drawn(Path folder) throws IOException {
    Map<String, Map<Long, String>> drawn = new TreeMap<>();
    boolean started = false;
    for (Path file : files(folder)) {
      for (byte[] record : records(file)) {
        Matcher event = EVENT.matcher(text(record));
        if (!event.matches()) {
          continue;
        }
        long step = Long.parseLong(event.group(1));
        if (event.group(2).equals("5")) {
          Matcher scalar = SCALAR.matcher(event.group(3));
          while (scalar.find()) {
            Map<Long, String> points = drawn.computeIfAbsent(scalar.group(1), _ -> new TreeMap<>());
            assertNull(points.put(step, scalar.group(2)), () -> "drawn twice: step " + step);
          }
        } else if (started) {
          drawn.values().forEach(points -> points.keySet().removeIf(at -> at >= step));
        }
        started |= event.group(2).equals("7");
      }
    }
    return drawn;
  }

  private static List<Path> files(Path folder) throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      return files.filter(file -> file.toString().contains("tfevents")).sorted().toList();
    }
  }
}
