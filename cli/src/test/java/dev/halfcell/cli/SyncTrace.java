package dev.halfcell.cli;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What {@code strace -f -y} has written: calls with the line at which each began and that at which
 * it was over.
 */
record SyncTrace(List<Call> calls) {
  private static final Pattern LINE = Pattern.compile("(\\d+) +(.*)");
  private static final Pattern BEGINS = Pattern.compile("(\\w+)\\((.*)");
  private static final Pattern RESUMES = Pattern.compile("<\\.\\.\\. (\\w+) resumed>(.*)");
  private static final String UNFINISHED = "<unfinished ...>";

  /**
   * A call.
   *
   * @param name of it
   * @param text its arguments and its value
   * @param begins the line at which it was made
   * @param ends the one at which it returned
   */
  record Call(String name, String text, int begins, int ends) {
    boolean syncs(String file) {
      return (name.equals("fsync") || name.equals("fdatasync"))
          && text.contains(file + ">")
          && text.stripTrailing().endsWith("= 0");
    }

    boolean sends(String what) {
      return name.startsWith("write") && text.contains("HTTP/1.1 202") && text.contains(what);
    }

    boolean writes(String file, String what) {
      return name.equals("pwrite64") && text.contains(file + ">") && text.contains(what);
    }
  }

  private record Open(String name, String text, int begins) {}

  static SyncTrace read(Path file) throws IOException {
    List<String> lines = Files.readAllLines(file, StandardCharsets.ISO_8859_1);
    Map<String, Open> open = new HashMap<>();
    List<Call> calls = new ArrayList<>();
    for (int number = 0; number < lines.size(); number++) {
      Matcher line = LINE.matcher(lines.get(number));
      if (line.matches()) {
        take(line.group(1), line.group(2), number, open, calls);
      }
    }
    return new SyncTrace(calls);
  }

  private static void take(
      String thread, String said, int number, Map<String, Open> open, List<Call> calls) {
    Matcher resumes = RESUMES.matcher(said);
    Matcher begins = BEGINS.matcher(said);
    if (resumes.matches()) {
      Open call = open.remove(thread);
      if (call != null) {
        calls.add(new Call(call.name(), call.text() + resumes.group(2), call.begins(), number));
      }
    } else if (begins.matches()) {
      if (said.endsWith(UNFINISHED)) {
        open.put(thread, new Open(begins.group(1), begins.group(2), number));
      } else {
        calls.add(new Call(begins.group(1), begins.group(2), number, number));
      }
    }
  }

  /** The first call of a kind, by its beginning; fails where there is none. */
  Call first(String what, Predicate<Call> kind) {
    return calls.stream()
        .filter(kind)
        .min((one, other) -> Integer.compare(one.begins(), other.begins()))
        .orElseThrow(() -> new AssertionError("no call that " + what));
  }
}
