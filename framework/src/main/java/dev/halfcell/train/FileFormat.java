package dev.halfcell.train;

import dev.halfcell.data.SafeTensors;
import dev.halfcell.tensor.DataException;
import dev.halfcell.tensor.Problem;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What a file says that it is, in its notes.
 *
 * @param name what it holds
 * @param version the newest that is read here
 */
record FileFormat(String name, int version) {
  static final String NOTE = "format";

  String text() {
    return name + "-" + version;
  }

  boolean is(SafeTensors contents) {
    return text().equals(contents.metadata().get(NOTE));
  }

  /** Refuses a file of another format, and one of this that is too new. */
  void require(SafeTensors contents, Path file) {
    String written = contents.metadata().getOrDefault(NOTE, "none");
    Matcher same = Pattern.compile(Pattern.quote(name) + "-(\\d{1,9})").matcher(written);
    if (same.matches() && Integer.parseInt(same.group(1)) > version) {
      throw refusal(
          file, text() + " or older", written, "Read it with the HalfCell that wrote it.");
    }
    if (!is(contents)) {
      throw refusal(file, text(), written, "Take a file of that format.");
    }
  }

  private DataException refusal(Path file, String expected, String got, String fix) {
    return new DataException(
        new Problem(name, file.toString(), "format " + expected, "format " + got, fix));
  }
}
