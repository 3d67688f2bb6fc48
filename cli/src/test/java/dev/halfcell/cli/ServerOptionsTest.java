package dev.halfcell.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.halfcell.rest.client.ClientSettings;
import dev.halfcell.tensor.ArgumentException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;

/** Which server, and whose token: flags go before the environment. */
final class ServerOptionsTest {
  private static ClientSettings settings(Map<String, String> environment, String... arguments) {
    ServerOptions options = new ServerOptions();
    new CommandLine(options).parseArgs(arguments);
    return options.settings(environment);
  }

  @Test
  void nothingSaidIsTheServerOfThisMachine() {
    ClientSettings settings = settings(Map.of());
    assertEquals(URI.create("http://127.0.0.1:8080"), settings.server());
    assertEquals(Optional.empty(), settings.token());
    assertEquals(Duration.ofSeconds(30), settings.patience());
  }

  @Test
  void flagsGoBeforeTheEnvironment(@TempDir Path folder) throws Exception {
    Map<String, String> environment =
        Map.of("HALFCELL_SERVER", "https://a/", "HALFCELL_TOKEN", "one");
    ClientSettings settings = settings(environment);
    assertEquals(URI.create("https://a"), settings.server());
    assertEquals(Optional.of("one"), settings.token());
    Path file = Files.writeString(folder.resolve("token"), "two\n");
    ClientSettings said =
        settings(environment, "--server=http://b:1", "--token-file=" + file, "--patience=2");
    assertEquals(URI.create("http://b:1"), said.server());
    assertEquals(Optional.of("two"), said.token());
    assertEquals(Duration.ofSeconds(2), said.patience());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"s3cret-token", " s3cret-token \n\n", "# mine\nme read,submit s3cret-token\n"})
  void aFileWithOneTokenIsRead(String text, @TempDir Path folder) throws Exception {
    Path file = Files.writeString(folder.resolve("token"), text);
    assertEquals(Optional.of("s3cret-token"), settings(Map.of(), "--token-file=" + file).token());
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "# none\n", "s3cret s3cret", "s3cret\ns3cret\n", "s3crét"})
  void aFileWithAnotherNumberOfTokensIsRefused(String text, @TempDir Path folder) throws Exception {
    Path file = Files.writeString(folder.resolve("token"), text);
    ArgumentException e =
        assertThrows(
            ArgumentException.class, () -> settings(Map.of(), "--token-file=" + file).token());
    assertFalse(e.problem().message().contains("s3cr"), e.problem().message());
    assertTrue(e.problem().message().contains("token"), e.problem().message());
  }
}
