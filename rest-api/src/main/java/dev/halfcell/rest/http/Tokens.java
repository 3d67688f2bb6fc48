package dev.halfcell.rest.http;

import dev.halfcell.rest.service.Caller;
import dev.halfcell.tensor.ArgumentException;
import dev.halfcell.tensor.Problem;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/**
 * Who may ask for what. Only hashes of tokens are kept, and every one of them is compared whole, so
 * that the time says nothing of how near a guess was. Threads may share it.
 */
public final class Tokens {
  private static final int SHORTEST = 16;

  private final List<Known> known;

  private record Known(byte[] hash, Caller caller) {}

  private Tokens(List<Known> known) {
    this.known = List.copyOf(known);
  }

  /** No token is asked for: whoever connects may do everything. */
  public static Tokens none() {
    return new Tokens(List.of());
  }

  /**
   * Those of a file: on each line a name, a comma-separated list of scopes and the token, with
   * blanks between them; empty lines and lines that begin with {@code #} say nothing.
   *
   * @throws ArgumentException where a line is not like that, or a token is short or there twice
   */
  public static Tokens parse(String text) {
    List<Known> known = new ArrayList<>();
    int number = 0;
    for (String line : text.lines().toList()) {
      number++;
      if (line.isBlank() || line.startsWith("#")) {
        continue;
      }
      String[] parts = line.strip().split("\\s+");
      require(parts.length == 3, number, "NAME SCOPES TOKEN", parts.length + " words");
      require(
          parts[2].length() >= SHORTEST,
          number,
          "a token of at least " + SHORTEST + " characters",
          parts[2].length() + " characters");
      byte[] hash = hash(parts[2]);
      for (Known other : known) {
        require(!MessageDigest.isEqual(other.hash(), hash), number, "another token", "one twice");
      }
      known.add(new Known(hash, new Caller(parts[0], scopes(parts[1], number))));
    }
    require(!known.isEmpty(), 0, "at least one token", "none");
    return new Tokens(known);
  }

  private static Set<Caller.Scope> scopes(String list, int line) {
    Set<Caller.Scope> scopes = EnumSet.noneOf(Caller.Scope.class);
    for (String name : list.split(",", -1)) {
      Optional<Caller.Scope> scope =
          EnumSet.allOf(Caller.Scope.class).stream()
              .filter(each -> each.name().toLowerCase(Locale.ROOT).equals(name))
              .findFirst();
      require(scope.isPresent(), line, "scopes of read, submit and admin", "'" + name + "'");
      scope.ifPresent(scopes::add);
    }
    return scopes;
  }

  private static void require(boolean right, int line, String expected, String got) {
    if (!right) {
      throw new ArgumentException(
          new Problem("--token-file", line == 0 ? "" : "line " + line, expected, got, ""));
    }
  }

  /** Whether a token is asked for. */
  public boolean required() {
    return !known.isEmpty();
  }

  /** Who has this token. */
  public Optional<Caller> caller(String token) {
    byte[] hash = hash(token);
    Optional<Caller> found = Optional.empty();
    for (Known each : known) {
      if (MessageDigest.isEqual(each.hash(), hash)) {
        found = Optional.of(each.caller());
      }
    }
    return found;
  }

  private static byte[] hash(String token) {
    try {
      return MessageDigest.getInstance("SHA-256").digest(token.getBytes(StandardCharsets.UTF_8));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }
}
