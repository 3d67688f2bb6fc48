package dev.halfcell.rest.service;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import dev.halfcell.zoo.job.Identity;
import dev.halfcell.zoo.job.JobSpecification;
import java.util.Optional;
import java.util.function.ToIntFunction;

/**
 * What was found out of specifications, as many kinds of them as there is room for: those that
 * differ by their {@link Identity} alone are of one kind. Threads may share it.
 *
 * @param <V> is found out
 */
final class KnownKinds<V> {
  /**
   * The room that a server has for them; objects take more memory than their JSON has characters.
   */
  static final long MOST_CHARACTERS = 1 << 20;

  private final Cache<JobSpecification, V> known;

  /**
   * With so much room.
   *
   * @param mostCharacters of kinds, as JSON, and of what was found out
   * @param characters of what was found out
   */
  KnownKinds(long mostCharacters, ToIntFunction<V> characters) {
    known =
        Caffeine.newBuilder()
            .maximumWeight(mostCharacters)
            .weigher(
                (JobSpecification kind, V value) ->
                    kind.json().length() + characters.applyAsInt(value))
            .executor(Runnable::run)
            .build();
  }

  /** What is known of the kind of a specification. */
  Optional<V> find(JobSpecification specification) {
    return Optional.ofNullable(known.getIfPresent(Identity.kind(specification)));
  }

  /** Keeps what was found out of the kind of a specification. */
  void keep(JobSpecification specification, V value) {
    known.put(Identity.kind(specification), value);
  }
}
