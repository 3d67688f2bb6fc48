package dev.halfcell.cli;

import dev.halfcell.rest.LocalServer;
import dev.halfcell.rest.LocalSettings;
import java.net.URI;

/** The job service of this machine. */
record LocalJobServer(LocalServer server) implements JobServer {
  /** Starts it as the command line says. */
  static JobServer start(ServeOptions options) {
    CompilerThreads.letOthersFirst();
    return new LocalJobServer(
        LocalServer.start(
            new LocalSettings(
                options.host(),
                options.port(),
                options.data(),
                options.workers(),
                options.tokenFile(),
                options.settings(),
                options.artifacts(),
                options.retainDays(),
                options.retainJobs(),
                options.store())));
  }

  @Override
  public URI address() {
    return server.address();
  }

  @Override
  public void close() {
    server.close();
  }
}
