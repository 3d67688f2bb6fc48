package dev.halfcell.tensor;

import java.io.IOException;
import java.nio.file.Path;

/** A file or a value read from one is not what it claims to be. */
public final class DataException extends FrameworkException {
  public DataException(Problem problem) {
    super(problem);
  }

  public DataException(Problem problem, Throwable cause) {
    super(problem, cause);
  }

  /** A file that cannot be written, or not to its end. */
  public static DataException unwritable(String subject, Path file, IOException reason) {
    return new DataException(
        new Problem(
            subject,
            file.toString(),
            "a file that can be written",
            said(reason),
            "Check the folder, its permissions and the space on the disk."),
        reason);
  }

  /** What the operating system says of a file or folder. */
  public static String said(IOException reason) {
    String text = String.valueOf(reason.getMessage());
    return text.contains("No space left on device")
        ? "a disk that is full: " + text
        : reason.getClass().getSimpleName() + ": " + text;
  }
}
