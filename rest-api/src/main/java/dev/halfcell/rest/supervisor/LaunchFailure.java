package dev.halfcell.rest.supervisor;

import java.io.IOException;
import java.nio.file.FileSystemException;
import java.util.List;
import java.util.regex.Pattern;

/**
 * Why a process could not be started.
 *
 * @param why what the system says, without the paths of this machine
 * @param passes whether it is the machine's and may be over soon: no process, memory or file is
 *     left, or the program is being written just now
 */
record LaunchFailure(String why, boolean passes) {
  /** EAGAIN, ENOMEM, ENFILE, EMFILE and ETXTBSY, as {@code errno(3)} numbers them on Linux. */
  private static final Pattern NUMBERS = Pattern.compile("error[:=] ?(11|12|23|24|26)\\b");

  /** Where the number is not told. */
  private static final List<String> TEXTS =
      List.of("Resource temporarily unavailable", "Cannot allocate memory", "Too many open files");

  static LaunchFailure of(IOException error) {
    String why = said(error);
    boolean passes = NUMBERS.matcher(why).find() || TEXTS.stream().anyMatch(why::contains);
    return new LaunchFailure(why, passes);
  }

  private static String said(IOException error) {
    return switch (error) {
      case FileSystemException file when file.getReason() != null -> file.getReason();
      case FileSystemException file -> file.getClass().getSimpleName();
      case IOException other when other.getCause() != null ->
          String.valueOf(other.getCause().getMessage());
      default -> error.getClass().getSimpleName();
    };
  }
}
