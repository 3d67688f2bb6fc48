package dev.halfcell.rest.supervisor;

import dev.halfcell.rest.worker.FromWorker;
import dev.halfcell.rest.worker.ProtocolException;
import dev.halfcell.rest.worker.Wire;
import dev.halfcell.tensor.DataException;
import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Where workers connect. A connection that does not say that it is a worker of this server is
 * closed and counted when a worker would be too late to start; a worker may need that long on a
 * busy machine. Of more than {@link #STRANGERS} silent ones the oldest is closed before. Threads
 * may share it.
 */
final class WorkerSocket implements AutoCloseable {
  private static final long AGAIN_MILLISECONDS = 100;
  private static final String NAME = "workers.sock";

  /** The system keeps paths of sockets in 108 bytes, a closing zero included. */
  private static final int LONGEST = 107;

  private static final int STRANGERS = 64;
  private static final int SECRET_BYTES = 32;

  private final Path path;
  private final Optional<Path> ownFolder;
  private final ServerSocketChannel channel;
  private final Duration patience;
  private final SecureRandom random = new SecureRandom();
  private final Map<Key, Expected> expected = new ConcurrentHashMap<>();
  private final Map<SocketChannel, Long> strangers = new ConcurrentHashMap<>();
  private final AtomicLong refused = new AtomicLong();

  /**
   * A worker that was started.
   *
   * @param secret what it is handed
   * @param wire its connection, when it is there; none where it will not come any more
   */
  record Expected(Key key, String secret, CompletableFuture<Optional<Wire>> wire) {}

  /** What no two workers have in common at a time. */
  record Key(String job, int attempt) {}

  /** One that does not listen yet. */
  WorkerSocket(
      Path path, Optional<Path> ownFolder, ServerSocketChannel channel, Duration patience) {
    this.path = path;
    this.ownFolder = ownFolder;
    this.channel = channel;
    this.patience = patience;
  }

  /**
   * Listens in a directory that this server has for itself; below that of temporary files where its
   * path is too long for a socket.
   *
   * @param patience how long a connection may be silent
   */
  static WorkerSocket open(Path directory, Duration patience) {
    try {
      Path wanted = directory.toAbsolutePath().resolve(NAME);
      boolean fits = wanted.toString().getBytes(StandardCharsets.UTF_8).length <= LONGEST;
      Optional<Path> own =
          fits ? Optional.empty() : Optional.of(Files.createTempDirectory("halfcell"));
      Path path = own.map(folder -> folder.resolve(NAME)).orElse(wanted);
      WorkerSocket socket = new WorkerSocket(path, own, listening(path), patience);
      Thread.ofVirtual().name("halfcell-workers-accepting").start(socket::accept);
      return socket;
    } catch (IOException e) {
      throw DataException.unwritable("workers", directory, e);
    }
  }

  private static ServerSocketChannel listening(Path path) throws IOException {
    Files.deleteIfExists(path); // of a server that was killed
    ServerSocketChannel channel = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
    try {
      channel.bind(UnixDomainSocketAddress.of(path));
      Files.setPosixFilePermissions(path, PosixFilePermissions.fromString("rw-------"));
      return channel;
    } catch (IOException | RuntimeException e) {
      channel.close();
      throw e;
    }
  }

  Path path() {
    return path;
  }

  /** Connections that were refused. */
  long refused() {
    return refused.get();
  }

  /** A worker is about to be started. */
  Expected expect(String job, int attempt) {
    byte[] bytes = new byte[SECRET_BYTES];
    random.nextBytes(bytes);
    String secret = HexFormat.of().formatHex(bytes);
    Key key = new Key(job, attempt);
    Expected worker = new Expected(key, secret, new CompletableFuture<>());
    expected.put(key, worker);
    return worker;
  }

  /** It came, or will not come. */
  void forget(Expected worker) {
    expected.remove(worker.key(), worker);
    worker.wire().complete(Optional.empty());
  }

  /** Until it is closed: that too many files are open passes. */
  void accept() {
    boolean told = false;
    while (true) {
      try {
        welcome(channel.accept());
        told = false;
      } catch (ClosedChannelException closed) {
        strangers.keySet().forEach(WorkerSocket::close);
        return;
      } catch (IOException e) {
        if (!told) {
          Log.warning("no worker can connect for now; it is tried again and again", e);
          told = true;
        }
        pause();
      }
    }
  }

  private void welcome(SocketChannel from) {
    if (strangers.size() >= STRANGERS) {
      longestSilent().ifPresent(this::sendAway);
    }
    strangers.put(from, System.nanoTime());
    Thread.ofVirtual().name("halfcell-worker-greeting").start(() -> greet(from));
  }

  private static void pause() {
    try {
      Thread.sleep(AGAIN_MILLISECONDS);
    } catch (InterruptedException e) {
      Log.warning("nobody interrupts this thread", e);
    }
  }

  private Optional<SocketChannel> longestSilent() {
    return strangers.entrySet().stream()
        .min(Comparator.comparingLong(Map.Entry::getValue))
        .map(Map.Entry::getKey);
  }

  /** Who has said meanwhile who it is, is none of them any more. */
  private void sendAway(SocketChannel from) {
    if (strangers.remove(from) != null) {
      close(from);
    }
  }

  /** Sends away who has said nothing for too long. */
  void tidy() {
    long now = System.nanoTime();
    strangers.forEach(
        (from, since) -> {
          if (now - since > patience.toNanos()) {
            sendAway(from);
          }
        });
  }

  private void greet(SocketChannel from) {
    Wire wire = new Wire(from);
    try {
      Optional<Expected> worker = wire.hello().flatMap(this::known);
      boolean waitedFor = strangers.remove(from) != null;
      if (!waitedFor || worker.isEmpty() || !worker.get().wire().complete(Optional.of(wire))) {
        refuse(from);
      }
    } catch (IOException | ProtocolException e) {
      if (strangers.remove(from) != null) {
        Log.warning("a connection that is no worker's was closed", e);
      }
      refuse(from);
    } finally {
      strangers.remove(from);
    }
  }

  private Optional<Expected> known(FromWorker.Hello hello) {
    return Optional.ofNullable(expected.get(new Key(hello.job(), hello.attempt())))
        .filter(
            worker ->
                hello.protocol() == FromWorker.PROTOCOL && same(hello.secret(), worker.secret()));
  }

  /** In a time that does not tell how much of it was right. */
  private static boolean same(String one, String other) {
    return MessageDigest.isEqual(
        one.getBytes(StandardCharsets.UTF_8), other.getBytes(StandardCharsets.UTF_8));
  }

  private void refuse(SocketChannel from) {
    refused.incrementAndGet();
    close(from);
  }

  private static void close(SocketChannel channel) {
    try {
      channel.close();
    } catch (IOException e) {
      Log.warning("a connection could not be closed", e);
    }
  }

  @Override
  public void close() {
    try {
      channel.close();
      Files.deleteIfExists(path);
      if (ownFolder.isPresent()) {
        Files.deleteIfExists(ownFolder.get());
      }
    } catch (IOException e) {
      Log.warning("the workers' socket could not be closed", e);
    }
  }
}
