package dev.halfcell.rest.http;

import io.netty.channel.Channel;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpConnection;
import io.vertx.core.net.impl.ConnectionBase;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

/** Counts connections, and closes those that do not come to the end of a head. */
final class Connections {
  private final Vertx vertx;
  private final HttpServerSettings settings;
  private final Arrivals arrivals;
  private final AtomicInteger open = new AtomicInteger();
  private final Map<HttpConnection, HeadWatch> watches = new ConcurrentHashMap<>();

  Connections(Vertx vertx, HttpServerSettings settings) {
    this.vertx = vertx;
    this.settings = settings;
    this.arrivals = Arrivals.on(vertx);
  }

  int open() {
    return open.get();
  }

  void opened(HttpConnection connection) {
    if (open.incrementAndGet() > settings.limits().connections()) {
      open.decrementAndGet();
      connection.close();
      return;
    }
    // Who goes away in the middle of an answer is no defect; its stack would fill the log.
    connection.exceptionHandler(_ -> {});
    // Vert.x has no hook for bytes before their head is whole, and none to leave them unread.
    Channel channel = ((ConnectionBase) connection).channel();
    HeadWatch watch = HeadWatch.over(vertx, connection, channel, settings.deadlines().head());
    watches.put(connection, watch);
    arrivals.arrived(channel, watch::begin);
    connection.closeHandler(
        _ -> {
          open.decrementAndGet();
          watches.remove(connection);
          watch.close();
        });
  }

  /** A head is whole. */
  void headRead(HttpConnection connection) {
    watch(connection).ifPresent(HeadWatch::read);
  }

  /** Its answer has ended; another head may come. */
  void answered(HttpConnection connection) {
    watch(connection).ifPresent(HeadWatch::answered);
  }

  /** Nothing more is answered on it. */
  void closing(HttpConnection connection) {
    watch(connection).ifPresent(HeadWatch::closing);
  }

  boolean isClosing(HttpConnection connection) {
    return watch(connection).filter(HeadWatch::isClosing).isPresent();
  }

  /** Ends a connection at once, whatever waits to be sent on it. */
  void cut(HttpConnection connection) {
    watch(connection).ifPresent(HeadWatch::cut);
  }

  private Optional<HeadWatch> watch(HttpConnection connection) {
    return Optional.ofNullable(watches.get(connection));
  }
}
