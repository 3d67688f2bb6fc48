package dev.halfcell.rest.http;

import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpConnection;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Closes a connection whose next head is not whole in time. An idle timeout is no defence: a byte
 * now and then keeps it from passing. So the time runs from the first byte, on the first request
 * from {@link #begin}. All of it happens on the connection's event loop.
 */
final class HeadWatch extends ChannelInboundHandlerAdapter {
  private static final long NONE = -1;

  private final Vertx vertx;
  private final HttpConnection connection;
  private final Duration deadline;
  private long timer = NONE;
  private int underWay;
  private boolean closing;
  private @Nullable ChannelHandlerContext own;

  private HeadWatch(Vertx vertx, HttpConnection connection, Duration deadline) {
    this.vertx = vertx;
    this.connection = connection;
    this.deadline = deadline;
  }

  static HeadWatch over(
      Vertx vertx, HttpConnection connection, Channel channel, Duration deadline) {
    HeadWatch watch = new HeadWatch(vertx, connection, deadline);
    channel.pipeline().addFirst("halfcell-head-watch", watch);
    return watch;
  }

  @Override
  public void handlerAdded(ChannelHandlerContext context) {
    own = context;
  }

  /**
   * Ends the connection at once. Vert.x itself closes one, and resets an answer, behind all that
   * was written before, and so never where a reader takes nothing. It stands behind this handler,
   * where it does not hear of it before it is done.
   */
  void cut() {
    if (own != null) {
      var _ = own.close();
    }
  }

  @Override
  public void channelRead(ChannelHandlerContext context, Object bytes) {
    if (underWay == 0) {
      begin();
    }
    context.fireChannelRead(bytes);
  }

  /** The connection is read from now on: who waits for that is not late. */
  void begin() {
    if (timer == NONE) {
      timer = vertx.setTimer(deadline.toMillis(), _ -> connection.close());
    }
  }

  void read() {
    underWay++;
    close();
  }

  /** Nothing more is answered: where the next request begins is not known for sure. */
  void closing() {
    closing = true;
  }

  boolean isClosing() {
    return closing;
  }

  void answered() {
    underWay--;
  }

  void close() {
    if (timer != NONE) {
      vertx.cancelTimer(timer);
      timer = NONE;
    }
  }
}
