package dev.halfcell.rest.supervisor;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** When a process is started again that could not be. */
final class LaunchesTest {
  private final AtomicLong nanoseconds = new AtomicLong(-1_000);
  private final Launches launches = new Launches(nanoseconds::get);

  /** Whole seconds until one is due again. */
  private int wait(int most) {
    for (int seconds = 0; seconds <= most; seconds++) {
      if (launches.due()) {
        return seconds;
      }
      nanoseconds.addAndGet(Duration.ofSeconds(1).toNanos());
    }
    return most;
  }

  @Test
  void eachFailureWaitsTwiceAsLongUpToHalfAMinuteAndASuccessForgetsThem() {
    assertEquals(0, wait(5));
    List<Integer> waits = new ArrayList<>();
    for (int i = 0; i < 7; i++) {
      launches.failed();
      waits.add(wait(100));
    }
    assertEquals(List.of(1, 2, 4, 8, 16, 30, 30), waits);
    assertFalse(launches.sound());
    launches.worked();
    assertTrue(launches.sound());
    launches.failed();
    launches.failed(); // at the same time: one moment of the machine
    assertFalse(launches.due());
    assertEquals(1, wait(5));
  }

  @ParameterizedTest
  @CsvSource({
    "'error=11, Resource temporarily unavailable', true",
    "'Exec failed, error: 26 (Text file busy) ', true",
    "'posix_spawn failed, error: 12 (Cannot allocate memory) ', true",
    "'error=24, Zu viele offene Dateien', true",
    "'error=2, No such file or directory', false",
    "'error=13, Permission denied', false",
    "'error=110, Connection timed out', false"
  })
  void whatTheMachineLacksForAWhilePasses(String said, boolean passes) {
    IOException error = new IOException("Cannot run program", new IOException(said));
    assertEquals(new LaunchFailure(said, passes), LaunchFailure.of(error));
  }

  @Test
  void pathsAreNotTold() {
    assertEquals(
        new LaunchFailure("FileAlreadyExistsException", false),
        LaunchFailure.of(new FileAlreadyExistsException("/a/path")));
    assertEquals(
        new LaunchFailure("Too many open files", true),
        LaunchFailure.of(new FileSystemException("/a/path", null, "Too many open files")));
    assertEquals("IOException", LaunchFailure.of(new IOException("/a/path")).why());
    assertTrue(
        LaunchFailure.of(new FileSystemException("/a", null, "Cannot allocate memory")).passes());
  }
}
