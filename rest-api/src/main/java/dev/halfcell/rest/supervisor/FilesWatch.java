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
      Thread.ofPlatform().daemon().name("halfcell-files").unstarted(this::keepLooking);
  private volatile Sight last = new Sight(System.nanoTime(), System.nanoTime(), true);

  /**
   * What one look saw.
   *
   * @param began when it did, as {@link System#nanoTime} counts
   * @param ended when it did
   * @param there whether the files were there
   */
  private record Sight(long began, long ended, boolean there) {
    boolean stands() {
      return there && System.nanoTime() - ended < PATIENCE.toNanos();
    }
  }

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
    return mark.isEmpty() || last.stands();
  }

  /**
   * Whether they are. Waits for as long as the file system takes. From then on it counts for {@link
   * #wereThere} too: a job that is given back because they are not must not be taken again at once.
   */
  boolean areThere() {
    return mark.isEmpty() || look(mark.get());
  }

  private boolean look(Path at) {
    long began = System.nanoTime();
    boolean seen = Files.exists(at);
    keep(new Sight(began, System.nanoTime(), seen));
    return seen;
  }

  private synchronized void keep(Sight seen) {
    if (seen.began - last.began > 0) {
      last = seen;
    }
  }

  private void keepLooking() {
    try {
      while (true) {
        areThere();
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
