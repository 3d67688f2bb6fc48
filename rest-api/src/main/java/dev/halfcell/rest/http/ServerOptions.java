package dev.halfcell.rest.http;

import io.vertx.core.http.HttpServerOptions;
import java.util.concurrent.TimeUnit;

/** What Vert.x is told: nothing that is not needed is on. */
final class ServerOptions {
  /** The most bytes of a request's first line. */
  static final int LINE = 4096;

  /** The most bytes of its headers. */
  static final int BYTES = 8192;

  private ServerOptions() {}

  static HttpServerOptions of(HttpServerSettings settings) {
    HttpServerOptions options = new HttpServerOptions();
    options.setHost(settings.host());
    options.setPort(settings.port());
    options.setIdleTimeoutUnit(TimeUnit.MILLISECONDS);
    options.setIdleTimeout(Math.toIntExact(settings.deadlines().idle().toMillis()));
    options.setAcceptBacklog(settings.limits().connections());
    options.setMaxInitialLineLength(LINE);
    options.setMaxHeaderSize(BYTES);
    options.setMaxChunkSize(BYTES);
    options.setHttp2ClearTextEnabled(false);
    options.setCompressionSupported(false);
    options.setDecompressionSupported(false);
    options.setHandle100ContinueAutomatically(false);
    options.setTcpNoDelay(true);
    options.setReuseAddress(true);
    return options;
  }
}
