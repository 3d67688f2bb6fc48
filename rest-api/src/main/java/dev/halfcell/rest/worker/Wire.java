package dev.halfcell.rest.worker;

import java.io.IOException;
import java.nio.channels.SocketChannel;
import java.util.Optional;

/** A connection between a server and a worker. One thread reads; threads may share all else. */
public final class Wire implements AutoCloseable {
  /** What a stranger may send before it has said who it is. */
  private static final int FIRST = 4096;

  private final SocketChannel channel;

  /** That of a channel, which it closes. */
  public Wire(SocketChannel channel) {
    this.channel = channel;
  }

  /** Sends a message; returns when the system has taken it. */
  public synchronized void send(Message message) throws IOException {
    Frames.write(channel, Messages.encode(message));
  }

  /**
   * The first message of a worker.
   *
   * @return none where the other side is gone
   */
  public Optional<FromWorker.Hello> hello() throws IOException, ProtocolException {
    Optional<byte[]> frame = Frames.read(channel, FIRST);
    if (frame.isEmpty()) {
      return Optional.empty();
    }
    if (Messages.fromWorker(frame.get()) instanceof FromWorker.Hello hello) {
      return Optional.of(hello);
    }
    throw new ProtocolException("hello was due first");
  }

  /**
   * The next message of the worker.
   *
   * @return none where it is gone
   */
  public Optional<FromWorker> fromWorker() throws IOException, ProtocolException {
    Optional<byte[]> frame = Frames.read(channel, Frames.MOST);
    return frame.isEmpty() ? Optional.empty() : Optional.of(Messages.fromWorker(frame.get()));
  }

  /**
   * The next message of the server.
   *
   * @return none where it is gone
   */
  public Optional<ToWorker> toWorker() throws IOException, ProtocolException {
    Optional<byte[]> frame = Frames.read(channel, Frames.MOST);
    return frame.isEmpty() ? Optional.empty() : Optional.of(Messages.toWorker(frame.get()));
  }

  @Override
  public void close() throws IOException {
    channel.close();
  }
}
