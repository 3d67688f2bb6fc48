package dev.halfcell.rest.client;

import dev.halfcell.tensor.ArgumentException;
import dev.halfcell.tensor.Problem;
import java.net.URI;
import java.time.Duration;
import java.util.Locale;
import java.util.Optional;

/**
 * Which server a client talks to, and how long what may take.
 *
 * @param server its address, without a path's last slash
 * @param token what it is shown, where it asks for one
 * @param connect the most that a connection may take
 * @param answer the most that one answer may take, beside what was asked to be waited for
 * @param silence the longest pause in a stream or download before it counts as broken; servers say
 *     something every 15 seconds
 * @param patience how long is tried again where the server does not answer, or says that it cannot
 *     now
 */
public record ClientSettings(
    URI server,
    Optional<String> token,
    Duration connect,
    Duration answer,
    Duration silence,
    Duration patience) {
  private static final String SUBJECT = "server";

  public ClientSettings {
    String scheme = String.valueOf(server.getScheme()).toLowerCase(Locale.ROOT);
    boolean plain =
        server.getHost() != null
            && server.getUserInfo() == null
            && server.getQuery() == null
            && server.getFragment() == null;
    if (!plain || !(scheme.equals("http") || scheme.equals("https"))) {
      throw notAnAddress(server.toString());
    }
    server = URI.create(server.toString().replaceAll("/+$", ""));
    token.ifPresent(ClientSettings::checkToken);
  }

  /** The usual times with a server at this address. */
  public static ClientSettings at(String server) {
    return new ClientSettings(
        address(server),
        Optional.empty(),
        Duration.ofSeconds(5),
        Duration.ofSeconds(30),
        Duration.ofSeconds(45),
        Duration.ofSeconds(30));
  }

  private static URI address(String text) {
    try {
      return URI.create(text);
    } catch (IllegalArgumentException e) {
      throw notAnAddress(text);
    }
  }

  private static ArgumentException notAnAddress(String text) {
    return new ArgumentException(
        new Problem(
            SUBJECT,
            "",
            "an address such as http://127.0.0.1:8080",
            "'" + text.replaceAll("//[^/]*@", "//...@") + "'",
            ""));
  }

  /** Never says what the token is. */
  private static void checkToken(String token) {
    ArgumentException.require(
        token.matches("[!-~]+"),
        "token",
        "letters, digits and signs without blanks",
        token.isEmpty() ? "nothing" : "other characters");
  }

  /** The same with a token. */
  public ClientSettings withToken(String token) {
    return new ClientSettings(server, Optional.of(token), connect, answer, silence, patience);
  }

  /** The same, trying again for so long. */
  public ClientSettings withPatience(Duration patience) {
    return new ClientSettings(server, token, connect, answer, silence, patience);
  }

  /** The same with other times for one answer and for a pause within one. */
  public ClientSettings withTimes(Duration answer, Duration silence) {
    return new ClientSettings(server, token, connect, answer, silence, patience);
  }

  /** Without the token: what is printed is read by others. */
  @Override
  public String toString() {
    return "ClientSettings[" + server + "]";
  }
}
