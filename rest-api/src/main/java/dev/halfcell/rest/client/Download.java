package dev.halfcell.rest.client;

import dev.halfcell.disk.Disk;
import dev.halfcell.tensor.DataException;
import dev.halfcell.tensor.Problem;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.lang.foreign.MemorySegment;
import java.net.http.HttpHeaders;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.DigestInputStream;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Optional;

/**
 * Brings a file of a job here. What came before a connection broke is kept in a hidden file beside
 * it, even when this process ends, and gone on with; the file gets its name when every byte of it
 * is there, is right and lies on the disk. One thread.
 */
final class Download {
  private static final String SUBJECT = "fetch";
  private static final int PARTIAL = 206;

  /** Another file has its name by now, as those of jobs that run do. */
  static final class ChangedException extends Exception {
    private static final long serialVersionUID = 1L;

    ChangedException() {
      super("the file has changed");
    }
  }

  private final Transport transport;
  private final Call call;
  private final Artifact artifact;
  private final Disk disk = Disk.local();
  private final Path folder;
  private final Path file;
  private final Path part;

  Download(Transport transport, Call call, Artifact artifact, Path folder) {
    this.transport = transport;
    this.call = call;
    this.artifact = artifact;
    if (!artifact.name().matches("[A-Za-z0-9_][A-Za-z0-9._-]{0,199}")
        || !artifact.sha256().matches("[0-9a-f]{64}")
        || artifact.bytes() < 0) {
      throw new AnswerException(
          call.toString(), transport.settings().server(), "an artifact that is no plain file");
    }
    this.folder = folder.toAbsolutePath();
    this.file = folder.resolve(artifact.name());
    this.part =
        folder.resolve(
            "." + artifact.name() + "." + artifact.sha256().substring(0, 16) + ".partial");
  }

  /**
   * Brings it. Returns where it is.
   *
   * @throws DataException where what came is not what was promised, or cannot be written
   */
  Path run() throws ChangedException {
    try {
      if (Files.isRegularFile(file) && right(file)) {
        return file;
      }
      disk.createFolders(folder);
      boolean fresh = length() == 0;
      bring();
      if (!right(part) && !fresh) {
        // What lay here from another time was damaged; once more from the start.
        disk.delete(part);
        bring();
      }
      if (!right(part)) {
        disk.delete(part);
        throw wrong();
      }
      disk.rename(part, file);
      disk.force(folder);
      return file;
    } catch (IOException e) {
      throw DataException.unwritable(SUBJECT, file, e);
    }
  }

  private DataException wrong() {
    return new DataException(
        new Problem(
            SUBJECT,
            file.toString(),
            artifact.bytes() + " bytes with the SHA-256 " + artifact.sha256(),
            "other bytes",
            "Fetch it again; if that does not help, the server's copy is damaged."));
  }

  private long length() throws IOException {
    return Files.exists(part) ? Files.size(part) : 0;
  }

  private boolean right(Path path) throws IOException {
    return Files.size(path) == artifact.bytes() && hash(path).equals(artifact.sha256());
  }

  private static String hash(Path path) throws IOException {
    MessageDigest digest = sha256();
    try (InputStream in = new DigestInputStream(Files.newInputStream(path), digest)) {
      in.transferTo(OutputStream.nullOutputStream());
    }
    return HexFormat.of().formatHex(digest.digest());
  }

  private static MessageDigest sha256() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every JDK has SHA-256", e);
    }
  }

  /** Gets all that is missing, over as many connections as it takes. */
  private void bring() throws IOException, ChangedException {
    Patience patience = new Patience(transport.settings().patience());
    if (length() > artifact.bytes()) {
      disk.delete(part);
    }
    if (artifact.bytes() == 0) {
      disk.create(part).close();
    }
    while (length() < artifact.bytes()) {
      long before = length();
      Optional<IOException> broken = attempt(patience);
      if (length() > before) {
        patience.renew();
      }
      broken.ifPresent(reason -> transport.retry(call, patience, reason));
    }
  }

  /** Gets what comes over one connection; only what the network does to it is given back. */
  private Optional<IOException> attempt(Patience patience) throws IOException, ChangedException {
    long have = length();
    Call ranged = have == 0 ? call : call.with("Range", "bytes=" + have + "-");
    HttpResponse<Chunks> response;
    try {
      response = transport.open(ranged);
    } catch (IOException e) {
      return Optional.of(e);
    } catch (ProblemException e) {
      transport.retry(patience, e);
      return Optional.empty();
    }
    try (Chunks body = response.body()) {
      checkSame(response.headers());
      boolean goesOn = response.statusCode() == PARTIAL && startsAt(have, response.headers());
      try (Disk.Output out = goesOn ? disk.append(part) : disk.create(part)) {
        Optional<IOException> broken = copy(body, out, artifact.bytes() - (goesOn ? have : 0));
        out.force();
        return broken;
      }
    }
  }

  private void checkSame(HttpHeaders headers) throws ChangedException {
    Optional<String> hash = headers.firstValue("X-Content-SHA256");
    if (hash.isPresent() && !hash.get().equals(artifact.sha256())) {
      throw new ChangedException();
    }
  }

  private boolean startsAt(long have, HttpHeaders headers) {
    String range = headers.firstValue("Content-Range").orElse("");
    if (!range.startsWith("bytes " + have + "-")) {
      throw new AnswerException(
          call.toString(), transport.settings().server(), "bytes that were not asked for");
    }
    return true;
  }

  /** No more than is left is written, whatever the server sends. */
  private Optional<IOException> copy(Chunks body, Disk.Output out, long left) throws IOException {
    long missing = left;
    while (missing > 0) {
      Optional<byte[]> bytes;
      try {
        bytes = body.next(transport.settings().silence());
      } catch (IOException e) {
        return Optional.of(e);
      }
      if (bytes.isEmpty()) {
        return Optional.of(new IOException("the download broke off"));
      }
      long take = Math.min(missing, bytes.get().length);
      out.write(MemorySegment.ofArray(bytes.get()).asSlice(0, take));
      missing -= take;
    }
    return Optional.empty();
  }
}
