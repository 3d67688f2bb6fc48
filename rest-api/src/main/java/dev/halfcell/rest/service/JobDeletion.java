package dev.halfcell.rest.service;

import dev.halfcell.rest.job.JobId;
import dev.halfcell.rest.store.JobStore;
import dev.halfcell.tensor.DataException;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.OptionalLong;
import java.util.function.Predicate;
import java.util.stream.Stream;

/**
 * Deletes jobs with all their files. A mark lies beside the folders meanwhile, so that the files of
 * a job which is gone from the store are deleted also where the server was killed in between.
 * Downloads that have begun go on: an open file is there until it is closed. Servers may share it.
 */
final class JobDeletion {
  private static final System.Logger LOG = System.getLogger("dev.halfcell.rest.retention");
  private static final String MARKS = ".deleted";

  /** Another server may be between its mark and the store for as long. */
  private static final Duration FORGOTTEN = Duration.ofMinutes(10);

  private final JobStore store;
  private final JobFolders folders;

  JobDeletion(JobStore store, JobFolders folders) {
    this.store = store;
    this.folders = folders;
  }

  /**
   * Deletes a job.
   *
   * @param fromStore deletes it there, where it may
   * @return the bytes that its files held; none where it may not be deleted
   */
  OptionalLong delete(JobId job, Predicate<JobId> fromStore) {
    Path mark = mark(job);
    if (!fromStore.test(job)) {
      delete(mark);
      return OptionalLong.empty();
    }
    try {
      long bytes = FolderDeletion.delete(folders.of(job));
      delete(mark);
      return OptionalLong.of(bytes);
    } catch (DataException e) {
      // The job is gone, and its mark has the rest deleted another time.
      LOG.log(Level.WARNING, "files of job " + job + " could not be deleted; later again", e);
      return OptionalLong.of(0);
    }
  }

  private Path mark(JobId job) {
    Path mark = marks().resolve(job.text());
    try {
      Files.createDirectories(marks());
      Files.write(mark, new byte[0]);
      return mark;
    } catch (IOException e) {
      throw DataException.unwritable("artifacts", mark, e);
    }
  }

  private Path marks() {
    return folders.root().resolve(MARKS);
  }

  private static void delete(Path mark) {
    try {
      Files.deleteIfExists(mark);
    } catch (IOException e) {
      throw DataException.unwritable("artifacts", mark, e);
    }
  }

  /** Deletes what a server that was killed has left of deleted jobs. */
  void finish() {
    for (Path mark : left()) {
      try {
        JobId.parse(String.valueOf(mark.getFileName())).ifPresent(job -> finish(job, mark));
      } catch (DataException e) {
        LOG.log(Level.WARNING, "files of a deleted job could not be deleted; later again", e);
      }
    }
  }

  private void finish(JobId job, Path mark) {
    if (store.find(job).isEmpty()) {
      FolderDeletion.delete(folders.of(job));
      delete(mark);
    } else if (madeAt(mark).isBefore(Instant.now().minus(FORGOTTEN))) {
      delete(mark);
    }
  }

  private static Instant madeAt(Path mark) {
    try {
      return Files.getLastModifiedTime(mark).toInstant();
    } catch (IOException _) {
      return Instant.now(); // who made it has deleted it
    }
  }

  private List<Path> left() {
    try (Stream<Path> marks = Files.list(marks())) {
      return marks.toList();
    } catch (NoSuchFileException _) {
      return List.of();
    } catch (IOException e) {
      throw DataException.unwritable("artifacts", marks(), e);
    }
  }
}
