package dev.halfcell.rest.http;

import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpConnection;
import io.vertx.core.net.impl.ConnectionBase;
import java.time.Duration;

/**
 * Closes a connection whose reader takes next to nothing of what was written for it: what waits for
 * it takes memory, and its place is another's. A slow reader is none of these. All of it happens on
 * the connection's event loop.
 */
final class ReaderWatch extends ChannelInboundHandlerAdapter {
  /** Who takes less is not a reader behind a slow line, but one who holds on to a connection. */
  private static final long LEAST_PER_SECOND = 1 << 10;

  private static final long NONE = -1;

  private final Vertx vertx;
  private final Duration patience;
  private long timer = NONE;
  private long behind;

  private ReaderWatch(Vertx vertx, Duration patience) {
    this.vertx = vertx;
    this.patience = patience;
  }

  /** Watches a connection, and gives its reader so much time, again and again. */
  static void over(Vertx vertx, HttpConnection connection, Duration patience) {
    // Vert.x has no hook for what waits for all answers of a connection.
    ((ConnectionBase) connection)
        .channel()
        .pipeline()
        .addFirst("halfcell-reader-watch", new ReaderWatch(vertx, patience));
  }

  @Override
  public void channelWritabilityChanged(ChannelHandlerContext context) {
    if (context.channel().isWritable()) {
      end();
    } else if (timer == NONE) {
      begin(context);
    }
    context.fireChannelWritabilityChanged();
  }

  @Override
  public void channelInactive(ChannelHandlerContext context) {
    end();
    context.fireChannelInactive();
  }

  private void begin(ChannelHandlerContext context) {
    behind = context.channel().bytesBeforeWritable();
    timer = vertx.setTimer(patience.toMillis(), _ -> look(context));
  }

  private void look(ChannelHandlerContext context) {
    long taken = behind - context.channel().bytesBeforeWritable();
    if (taken * 1_000 < LEAST_PER_SECOND * patience.toMillis()) {
      var _ = context.close();
    } else {
      begin(context);
    }
  }

  private void end() {
    if (timer != NONE) {
      vertx.cancelTimer(timer);
      timer = NONE;
    }
  }
}
