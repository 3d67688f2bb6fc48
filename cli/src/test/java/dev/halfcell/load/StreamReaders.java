package dev.halfcell.load;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.util.ArrayList;
import java.util.List;

/** Many readers of events, all read by one thread of its own. */
final class StreamReaders implements AutoCloseable {
  private static final int LOOK_MILLISECONDS = 100;

  private final Latencies delays = new Latencies();
  private final List<StreamReader> readers = new ArrayList<>();
  private final Selector selector;
  private final Thread thread;
  private volatile boolean over;

  private StreamReaders(Selector selector) {
    this.selector = selector;
    this.thread = Thread.ofPlatform().unstarted(this::run);
  }

  /** Opens so many of one job, from its first event on. */
  static StreamReaders open(int port, String job, int count) throws IOException {
    StreamReaders all = new StreamReaders(Selector.open());
    for (int i = 0; i < count; i++) {
      StreamReader reader = StreamReader.open(port, job, 0, all.delays);
      reader.channel().register(all.selector, SelectionKey.OP_READ, reader);
      all.readers.add(reader);
    }
    all.thread.start();
    return all;
  }

  private void run() {
    ByteBuffer buffer = ByteBuffer.allocate(64 << 10);
    try {
      while (!over && !selector.keys().isEmpty()) {
        selector.select(
            key -> {
              StreamReader reader = (StreamReader) key.attachment();
              reader.read(buffer);
              if (reader.closed()) {
                key.cancel();
              }
            },
            LOOK_MILLISECONDS);
      }
    } catch (IOException e) {
      throw new IllegalStateException("streams cannot be read", e);
    }
  }

  /** Waits until every stream has ended or was broken off, but not for too long. */
  List<StreamReader> await(java.time.Duration most) throws InterruptedException {
    thread.join(most);
    over = true;
    thread.join();
    return readers;
  }

  /** Between when an event happened and when it was read; to be asked for when all is over. */
  Latencies delays() {
    return delays;
  }

  @Override
  public void close() throws IOException {
    over = true;
    selector.close();
    for (StreamReader reader : readers) {
      reader.close();
    }
  }
}
