package dev.halfcell.rest.service;

import dev.halfcell.rest.job.JobId;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Instant;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The files that jobs have made. Hashes are kept for files that did not change. Threads may share.
 */
public final class Artifacts {
  private static final int REMEMBERED = 4096;
  private static final int CHUNK = 1 << 16;

  private final JobFolders folders;
  private final Map<Seen, String> hashes =
      new LinkedHashMap<>(16, 0.75f, true) {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<Seen, String> eldest) {
          return size() > REMEMBERED;
        }
      };

  private record Seen(Path file, long bytes, Instant modifiedAt) {}

  /**
   * A file as it is now.
   *
   * @param sha256 in hexadecimal digits
   */
  public record Artifact(
      ArtifactKind kind, Path path, long bytes, String sha256, Instant modifiedAt) {}

  /** Those below these folders. */
  public Artifacts(JobFolders folders) {
    this.folders = folders;
  }

  /** Those of a job that there are now. */
  public List<Artifact> of(JobId job) {
    return Arrays.stream(ArtifactKind.values()).flatMap(kind -> find(job, kind).stream()).toList();
  }

  /** One of a job. */
  public Optional<Artifact> find(JobId job, ArtifactKind kind) {
    Path file = folders.run(job).resolve(kind.file());
    try {
      BasicFileAttributes seen =
          Files.readAttributes(file, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
      if (!seen.isRegularFile()) {
        return Optional.empty();
      }
      Instant modifiedAt = seen.lastModifiedTime().toInstant();
      String hash = hash(new Seen(file, seen.size(), modifiedAt));
      return Optional.of(new Artifact(kind, file, seen.size(), hash, modifiedAt));
    } catch (NoSuchFileException _) {
      return Optional.empty();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private String hash(Seen seen) throws IOException {
    synchronized (hashes) {
      String known = hashes.get(seen);
      if (known != null) {
        return known;
      }
    }
    String made = sha256(seen.file(), seen.bytes());
    synchronized (hashes) {
      hashes.put(seen, made);
    }
    return made;
  }

  /** Of the first bytes: a file of a run that goes on grows meanwhile. */
  private static String sha256(Path file, long bytes) throws IOException {
    try (InputStream in = Files.newInputStream(file)) {
      MessageDigest digest = MessageDigest.getInstance("SHA-256");
      byte[] chunk = new byte[CHUNK];
      long left = bytes;
      while (left > 0) {
        int read = in.read(chunk, 0, (int) Math.min(CHUNK, left));
        if (read < 0) {
          break;
        }
        digest.update(chunk, 0, read);
        left -= read;
      }
      return HexFormat.of().formatHex(digest.digest());
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }
}
