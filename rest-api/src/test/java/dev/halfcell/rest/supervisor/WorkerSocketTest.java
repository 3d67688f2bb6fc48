package dev.halfcell.rest.supervisor;

import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.times;
import static org.mockito.Mockito.verify;
import static org.mockito.Mockito.when;

import java.io.IOException;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.ServerSocketChannel;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Where workers connect, on a machine that has no file to spare for a moment. */
@Timeout(60)
final class WorkerSocketTest {
  @Test
  void workersCanConnectAgainAfterTooManyFilesWereOpen() throws Exception {
    ServerSocketChannel channel = mock(ServerSocketChannel.class);
    when(channel.accept())
        .thenThrow(new IOException("Too many open files"))
        .thenThrow(new IOException("Too many open files"))
        .thenThrow(new ClosedChannelException());
    new WorkerSocket(Path.of("workers.sock"), Optional.empty(), channel, Duration.ofSeconds(1))
        .accept();
    verify(channel, times(3)).accept();
  }
}
