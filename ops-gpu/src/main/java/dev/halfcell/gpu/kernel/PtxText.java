package dev.halfcell.gpu.kernel;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;

/**
 * The text of a file of kernels, which can be had one by one: a driver that has not met them before
 * takes milliseconds to assemble one and seconds for some files.
 *
 * @param common what stands before and between the kernels: version, target, shared memory
 * @param entries the text of each kernel, by its name
 */
record PtxText(String common, Map<String, String> entries) {
  private static final String ENTRY = ".visible .entry ";

  PtxText {
    entries = Map.copyOf(entries);
  }

  /**
   * As nvcc writes it: a kernel begins at its entry and ends with the brace that closes its first
   * one. Assembly within it may have lines that are but a brace.
   */
  static PtxText of(String text) {
    StringBuilder common = new StringBuilder();
    Map<String, StringBuilder> entries = new LinkedHashMap<>();
    StringBuilder to = common;
    int open = 0;
    for (String line : text.lines().toList()) {
      if (line.startsWith(ENTRY)) {
        to = new StringBuilder();
        entries.put(line.substring(ENTRY.length(), line.indexOf('(')), to);
      }
      to.append(line).append('\n');
      int before = open;
      open += count(line, '{') - count(line, '}');
      if (before > 0 && open == 0) {
        to = common;
      }
    }
    Map<String, String> texts = new LinkedHashMap<>();
    entries.forEach((name, entry) -> texts.put(name, entry.toString()));
    return new PtxText(common.toString(), texts);
  }

  private static int count(String line, char brace) {
    return Math.toIntExact(line.chars().filter(each -> each == brace).count());
  }

  /** The names of all kernels. */
  Set<String> names() {
    return entries.keySet();
  }

  /** The text that gives one kernel alone. */
  String alone(String name) {
    String entry = entries.get(name);
    if (entry == null) {
      throw new IllegalStateException("there is no kernel " + name + " among " + names());
    }
    return common + entry;
  }
}
