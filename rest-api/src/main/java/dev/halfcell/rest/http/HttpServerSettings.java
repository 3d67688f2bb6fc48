package dev.halfcell.rest.http;

import dev.halfcell.tensor.ArgumentException;
import dev.halfcell.tensor.Problem;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.Set;

/**
 * How the server listens, and what it grants those who connect.
 *
 * @param host the address it binds
 * @param port the port; 0 takes a free one
 * @param names what it may be called in {@code Host}, beside the names of loopback
 * @param limits how much of what
 * @param deadlines how long what may take
 */
public record HttpServerSettings(
    String host, int port, Set<String> names, Limits limits, Deadlines deadlines) {
  private static final Set<String> LOOPBACK = Set.of("localhost", "127.0.0.1", "[::1]");

  /**
   * How much of what.
   *
   * @param connections open at once
   * @param streams of events and logs, open at once
   * @param bodyBytes of a request
   * @param streamBytes that wait for a reader who does not read, before it is dropped
   * @param submitsPerSecond of one owner, in the long run
   * @param submitsAtOnce of one owner
   */
  public record Limits(
      int connections,
      int streams,
      int bodyBytes,
      int streamBytes,
      double submitsPerSecond,
      double submitsAtOnce) {}

  /**
   * How long what may take.
   *
   * @param head of a request, from its first byte
   * @param body of a request; and how long an answer's reader may stand still
   * @param idle a connection on which nothing moves
   * @param heartbeat between two comments of a stream
   * @param look between two looks into the store, which other servers may write to
   */
  public record Deadlines(
      Duration head, Duration body, Duration idle, Duration heartbeat, Duration look) {}

  public HttpServerSettings {
    Set<String> all = new LinkedHashSet<>(LOOPBACK);
    all.addAll(names);
    names = Set.copyOf(all);
  }

  /** The usual ones, on loopback. */
  public static HttpServerSettings defaults() {
    return new HttpServerSettings(
        "127.0.0.1",
        8080,
        Set.of(),
        new Limits(1024, 512, 256 * 1024, 1 << 20, 500, 1_000),
        new Deadlines(
            Duration.ofSeconds(10),
            // So that a connection is gone within half a minute, answer and all.
            Duration.ofSeconds(26),
            // Longer than the longest wait that a client may ask for.
            Duration.ofSeconds(75),
            Duration.ofSeconds(15),
            Duration.ofSeconds(2)));
  }

  /** The same at another address; it may be called by its name. */
  public HttpServerSettings at(String host, int port) {
    Set<String> all = new LinkedHashSet<>(names);
    all.add(host);
    return new HttpServerSettings(host, port, all, limits, deadlines);
  }

  /** The same with other limits. */
  public HttpServerSettings with(Limits other) {
    return new HttpServerSettings(host, port, names, other, deadlines);
  }

  /** The same with other deadlines. */
  public HttpServerSettings with(Deadlines other) {
    return new HttpServerSettings(host, port, names, limits, other);
  }

  /** The same that may be called by these names too. */
  public HttpServerSettings called(Set<String> others) {
    return new HttpServerSettings(host, port, others, limits, deadlines);
  }

  /**
   * Refuses what cannot be listened at, before anything is opened that it would be for.
   *
   * @throws ArgumentException where others could connect without a token, or the address is taken
   */
  public void requireUsable(Tokens tokens) {
    requireGuarded(tokens);
    try (ServerSocket probe = new ServerSocket()) {
      probe.bind(new InetSocketAddress(host, port));
    } catch (IOException e) {
      throw new ArgumentException(
          new Problem(
              "--port",
              "",
              "an address that can be listened at",
              host + " with port " + port + ": " + e.getMessage(),
              "Name another --port or --host."));
    }
  }

  void requireGuarded(Tokens tokens) {
    if (!loopback() && !tokens.required()) {
      throw new ArgumentException(
          new Problem(
              "--host",
              "",
              "an address of this machine alone, or a token for those who connect",
              host + " and no token",
              "Give --token-file."));
    }
  }

  /** Whether only this machine can connect. */
  public boolean loopback() {
    return LOOPBACK.contains(host) || host.equals("::1");
  }
}
