package dev.halfcell.rest.store;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import java.sql.SQLException;

/**
 * What was read last, with the sealed texts that it was read from. A job is read far more often
 * than it changes, and to look into its texts takes longer than to get them. Threads may share it.
 *
 * @param <S> has the texts
 * @param <T> is what they say
 */
final class Opened<S extends Opened.Sealed<T>, T> {
  private static final long MOST_CHARACTERS = 4 << 20;

  private final Cache<String, Known<S, T>> known =
      Caffeine.newBuilder()
          .maximumWeight(MOST_CHARACTERS)
          .weigher((String _, Known<S, T> one) -> one.sealed().length())
          .executor(Runnable::run)
          .build();

  /** Sealed texts; those of two that are equal say the same. */
  interface Sealed<T> {
    /** The job that they are of. */
    String id();

    /** How many characters they have together, but for a few. */
    int length();

    /** What they say. */
    T open() throws SQLException;
  }

  private record Known<S, T>(S sealed, T opened) {}

  /** What these say; the same object for as long as a job's texts are the same. */
  T open(S sealed) throws SQLException {
    Known<S, T> before = known.getIfPresent(sealed.id());
    if (before != null && before.sealed().equals(sealed)) {
      return before.opened();
    }
    T opened = sealed.open();
    known.put(sealed.id(), new Known<>(sealed, opened));
    return opened;
  }
}
