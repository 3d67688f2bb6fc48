package dev.halfcell.rest.http;

import dev.halfcell.rest.service.StepTable;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;

/** Every step of a run as CSV, written as it is read. */
final class CsvAnswer {
  private static final int BLOCK = 1 << 15;

  private CsvAnswer() {}

  static void write(Path rows, long from, long to, Outlet outlet) {
    StringBuilder block = new StringBuilder(StepTable.HEADER).append('\n');
    boolean[] broken = {false};
    StepTable.read(
        rows,
        from,
        to,
        line -> {
          block.append(line).append('\n');
          if (block.length() > BLOCK && !broken[0]) {
            broken[0] = !outlet.write(bytes(block));
            block.setLength(0);
          }
        });
    if (broken[0] || !outlet.write(bytes(block))) {
      outlet.breakOff();
    }
  }

  private static byte[] bytes(CharSequence text) {
    return text.toString().getBytes(StandardCharsets.UTF_8);
  }
}
