package dev.halfcell.rest.supervisor;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;

/**
 * Whether the files of jobs are there: where servers share them, the file system may be unmounted
 * while they run. It is looked at on a thread of its own, for one that does not answer must keep no
 * server from the jobs that it holds.
 */
final class FilesWatch {
  private static final Duration EVERY = Duration.ofSeconds(1);
  private static final Duration PATIENCE = Duration.ofSeconds(5);

  private final Optional<Path> mark;
  private final Thread looking =
      Thread.ofPlatform().daemon().name("halfcell-files").unstarted(this::look);
  private volatile boolean there = true;
  private volatile long lookedAt = System.nanoTime();

  private FilesWatch(Optional<Path> mark) {
    this.mark = mark;
  }

  /**
   * Begins to look.
   *
   * @param mark a file that is there as long as the others are; none where they always are
   */
  static FilesWatch start(Optional<Path> mark) {
    FilesWatch watch = new FilesWatch(mark);
    if (mark.isPresent()) {
      watch.looking.start();
    }
    return watch;
  }

  /** Whether they were when it was looked last, which was a moment ago. Waits for nothing. */
  boolean wereThere() {
    return mark.isEmpty() || (there && System.nanoTime() - lookedAt < PATIENCE.toNanos());
  }

  /** Whether they are. Waits for as long as the file system takes. */
  boolean areThere() {
    return mark.isEmpty() || Files.exists(mark.get());
  }

  private void look() {
    try {
      while (true) {
        there = areThere();
        lookedAt = System.nanoTime();
        Thread.sleep(EVERY);
      }
    } catch (InterruptedException e) { // it has ended
      Thread.currentThread().interrupt();
    }
  }

  /** Ends looking. */
  void end() {
    looking.interrupt();
  }
}
