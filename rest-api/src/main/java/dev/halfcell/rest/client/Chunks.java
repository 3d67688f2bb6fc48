package dev.halfcell.rest.client;

import java.io.IOException;
import java.net.http.HttpResponse;
import java.net.http.HttpTimeoutException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Flow;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/**
 * The body of an answer, as it comes: one part at a time is asked for, and the reader waits for it
 * no longer than it says. The JDK's own time limit ends with an answer's headers. One reader.
 */
final class Chunks implements HttpResponse.BodySubscriber<Chunks>, AutoCloseable {
  private sealed interface Item {}

  private record Bytes(byte[] bytes) implements Item {}

  private record End() implements Item {}

  private record Broken(IOException reason) implements Item {}

  private final BlockingQueue<Item> items = new LinkedBlockingQueue<>();
  private final CompletableFuture<Flow.Subscription> subscription = new CompletableFuture<>();
  private Optional<Item> last = Optional.empty();

  @Override
  public CompletionStage<Chunks> getBody() {
    return CompletableFuture.completedStage(this);
  }

  @Override
  public void onSubscribe(Flow.Subscription to) {
    subscription.complete(to);
    to.request(1);
  }

  @Override
  public void onNext(List<ByteBuffer> buffers) {
    byte[] bytes = new byte[buffers.stream().mapToInt(ByteBuffer::remaining).sum()];
    int done = 0;
    for (ByteBuffer buffer : buffers) {
      int length = buffer.remaining();
      buffer.get(bytes, done, length);
      done += length;
    }
    items.add(new Bytes(bytes));
  }

  @Override
  public void onError(Throwable error) {
    items.add(
        new Broken(
            error instanceof IOException reason ? reason : new IOException("broken off", error)));
  }

  @Override
  public void onComplete() {
    items.add(new End());
  }

  /**
   * The next part; none where the body is over.
   *
   * @throws IOException where it broke off, or nothing came in this time
   */
  Optional<byte[]> next(Duration atMost) throws IOException {
    return switch (last.isPresent() ? last.get() : polled(atMost)) {
      case Bytes(byte[] bytes) -> {
        subscription.join().request(1);
        yield Optional.of(bytes);
      }
      case End end -> {
        last = Optional.of(end);
        yield Optional.empty();
      }
      case Broken broken -> {
        last = Optional.of(broken);
        throw broken.reason();
      }
    };
  }

  private Item polled(Duration atMost) throws IOException {
    try {
      Item item = items.poll(Math.max(0, atMost.toNanos()), TimeUnit.NANOSECONDS);
      if (item == null) {
        throw new HttpTimeoutException("silence for " + atMost.toMillis() + " ms");
      }
      return item;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedCallException();
    }
  }

  /** Lets go of the connection where the body is not over. */
  @Override
  public void close() {
    var _ = subscription.thenAccept(Flow.Subscription::cancel);
  }
}
