package dev.halfcell.cli;

import dev.halfcell.rest.client.ClientSettings;
import dev.halfcell.rest.client.HalfCellClient;
import dev.halfcell.tensor.ArgumentException;
import dev.halfcell.tensor.DataException;
import dev.halfcell.tensor.Problem;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import picocli.CommandLine.Option;

/** Which server a command asks, as whom, and for how long. */
final class ServerOptions {
  static final String ADDRESS_VARIABLE = "HALFCELL_SERVER";
  static final String TOKEN_VARIABLE = "HALFCELL_TOKEN";
  private static final String USUAL = "http://127.0.0.1:8080";
  private static final int WORDS_OF_A_SERVERS_LINE = 3;

  @Option(
      names = "--server",
      paramLabel = "URL",
      description = "The server. Default: what " + ADDRESS_VARIABLE + " says, or " + USUAL + ".")
  private Optional<String> server = Optional.empty();

  @Option(
      names = "--token-file",
      paramLabel = "FILE",
      description =
          "A file with the token that the server asks for: the token alone, or one line of the"
              + " server's own file. Default: what "
              + TOKEN_VARIABLE
              + " says.")
  private Optional<Path> tokenFile = Optional.empty();

  @Option(
      names = "--patience",
      paramLabel = "N",
      converter = OptionValues.Count.class,
      description = "Seconds for which a server that does not answer is asked again. Default: 30.")
  private Optional<Integer> patience = Optional.empty();

  /** A client of it, to be closed by the caller. */
  HalfCellClient client() {
    return new HalfCellClient(settings(System.getenv()));
  }

  ClientSettings settings(Map<String, String> environment) {
    Optional<String> named = Optional.ofNullable(environment.get(ADDRESS_VARIABLE));
    ClientSettings settings =
        ClientSettings.at(server.or(() -> named.filter(text -> !text.isEmpty())).orElse(USUAL));
    Optional<String> token =
        tokenFile
            .map(ServerOptions::token)
            .or(() -> Optional.ofNullable(environment.get(TOKEN_VARIABLE)));
    ClientSettings known = token.isPresent() ? settings.withToken(token.get()) : settings;
    return patience.isPresent() ? known.withPatience(Duration.ofSeconds(patience.get())) : known;
  }

  /** Of several lines, it would not be known which. */
  private static String token(Path file) {
    List<String> lines =
        text(file).lines().filter(line -> !line.isBlank() && !line.startsWith("#")).toList();
    List<String> words =
        lines.size() == 1 ? List.of(lines.getFirst().strip().split("\\s+")) : List.of();
    if (words.size() != 1 && words.size() != WORDS_OF_A_SERVERS_LINE) {
      throw new ArgumentException(
          new Problem(
              "--token-file",
              file.toString(),
              "one line with a token",
              lines.size() == 1 ? words.size() + " words" : lines.size() + " lines",
              ""));
    }
    return words.getLast();
  }

  private static String text(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      throw new ArgumentException(
          new Problem(
              "--token-file",
              file.toString(),
              "a file that can be read",
              e instanceof NoSuchFileException ? "none of that name" : DataException.said(e),
              ""));
    }
  }
}
