package dev.halfcell.rest.client;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * Cuts a stream of {@code text/event-stream} into its events as the bytes come. An event counts
 * once the empty line behind it is there; what a broken stream leaves is no event. One thread.
 */
final class EventParser {
  private static final int LONGEST = 1 << 20;

  /**
   * One event.
   *
   * @param name its {@code event}
   * @param data its lines of {@code data}
   */
  record Frame(String name, String data) {}

  private final ByteArrayOutputStream line = new ByteArrayOutputStream();
  private final StringBuilder data = new StringBuilder();
  private String name = "";
  private boolean carriage;

  /**
   * The events that these bytes complete.
   *
   * @throws IOException where an event is longer than any is
   */
  List<Frame> feed(byte[] bytes) throws IOException {
    List<Frame> frames = new ArrayList<>();
    for (byte each : bytes) {
      boolean second = carriage && each == '\n';
      carriage = each == '\r';
      if (second) {
        continue; // the line ended with the byte before
      }
      if (each == '\n' || each == '\r') {
        ended(frames);
      } else {
        line.write(each);
      }
      if (line.size() + data.length() > LONGEST) {
        throw new IOException("an event of more than " + LONGEST + " bytes");
      }
    }
    return frames;
  }

  private void ended(List<Frame> frames) {
    String text = line.toString(StandardCharsets.UTF_8);
    line.reset();
    if (!text.isEmpty()) {
      field(text);
      return;
    }
    if (!data.isEmpty()) {
      frames.add(new Frame(name, data.substring(0, data.length() - 1)));
    }
    data.setLength(0);
    name = "";
  }

  /** Comments, ids (each event has its number in its data) and times are not needed. */
  private void field(String text) {
    int colon = text.indexOf(':');
    String key = colon < 0 ? text : text.substring(0, colon);
    String value = colon < 0 ? "" : text.substring(colon + 1);
    String plain = value.startsWith(" ") ? value.substring(1) : value;
    switch (key) {
      case "event" -> name = plain;
      case "data" -> data.append(plain).append('\n');
      default -> {}
    }
  }
}
