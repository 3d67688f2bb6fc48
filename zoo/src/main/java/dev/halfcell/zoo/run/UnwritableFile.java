package dev.halfcell.zoo.run;

import dev.halfcell.tensor.DataException;
import dev.halfcell.tensor.Problem;
import java.io.IOException;
import java.nio.file.Path;

/** What a run says of a file of its folder that it cannot write. */
final class UnwritableFile {
  private UnwritableFile() {}

  static DataException because(Path file, IOException reason) {
    return new DataException(
        new Problem(
            "run",
            file.toString(),
            "a file that can be written",
            reason.getClass().getSimpleName() + ": " + reason.getMessage(),
            "Check the folder, its permissions and the space on the disk."),
        reason);
  }
}
