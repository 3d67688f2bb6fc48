package dev.halfcell.rest.store;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import java.sql.SQLException;
import java.util.Optional;

/**
 * What texts said that were read before, as many of them as there is room for. A job is read far
 * more often than it changes, and to look into its texts takes longer than to get them. Threads may
 * share it.
 *
 * @param <S> has the texts
 * @param <T> is what they say
 */
final class KnownTexts<S extends KnownTexts.Sealed<T>, T> {
  /** No moment of a database: at this one nothing is known. */
  static final long NEVER = -1;

  private static final long MOST_CHARACTERS = 8 << 20;

  private final Cache<String, Known<S, T>> known;

  /** Sealed texts; those of two that are equal say the same. */
  interface Sealed<T> {
    /** The job that they are of. */
    String id();

    /** How many characters they have together, but for a few. */
    int length();

    /** What they say. */
    T open() throws SQLException;
  }

  /** That a database had these texts at a moment. */
  private record Known<S, T>(S sealed, T opened, long asOf) {}

  KnownTexts() {
    this(MOST_CHARACTERS);
  }

  /**
   * With so much room.
   *
   * @param mostCharacters of texts and of what they say, which is as long again
   */
  KnownTexts(long mostCharacters) {
    known =
        Caffeine.newBuilder()
            .maximumWeight(mostCharacters)
            .weigher((String _, Known<S, T> one) -> 2 * one.sealed().length())
            .executor(Runnable::run)
            .build();
  }

  /** What these say: what was made of the same texts before, where that is still known. */
  T open(S sealed) throws SQLException {
    return open(sealed, NEVER);
  }

  /**
   * The same.
   *
   * @param asOf the moment at which a database has them
   */
  T open(S sealed, long asOf) throws SQLException {
    Known<S, T> before = known.getIfPresent(sealed.id());
    if (before != null && before.sealed().equals(sealed)) {
      if (asOf != NEVER) {
        known.put(sealed.id(), new Known<>(before.sealed(), before.opened(), asOf));
      }
      return before.opened();
    }
    T opened = sealed.open();
    known.put(sealed.id(), new Known<>(sealed, opened, asOf));
    return opened;
  }

  /** What a job's texts say at a moment, where the database was seen to have them then. */
  Optional<T> asOf(String id, long moment) {
    Known<S, T> before = moment == NEVER ? null : known.getIfPresent(id);
    return before == null || before.asOf() != moment
        ? Optional.empty()
        : Optional.of(before.opened());
  }
}
