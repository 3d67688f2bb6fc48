package dev.halfcell.zoo.host;

import com.sun.management.OperatingSystemMXBean;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.OptionalLong;

/** Memory of the machine and of this process, in bytes. */
public final class Memory {
  private static final Path STATUS = Path.of("/proc/self/status");
  private static final String PEAK = "VmHWM:";

  private Memory() {}

  /** What this process may use: the machine's, or its container's where that is less. */
  public static long total() {
    return ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class).getTotalMemorySize();
  }

  /** The most that this process has held resident so far; empty where the system does not say. */
  public static OptionalLong peakResident() {
    try {
      return peak(Files.readString(STATUS));
    } catch (IOException e) {
      return OptionalLong.empty();
    }
  }

  /** The peak in a text in the format of {@code /proc/self/status}. */
  static OptionalLong peak(String status) {
    return status
        .lines()
        .filter(line -> line.startsWith(PEAK))
        .mapToLong(line -> Long.parseLong(line.replaceAll("\\D", "")) * 1024)
        .findFirst();
  }
}
