package dev.halfcell.rest.service;

import dev.halfcell.rest.job.JobSummary;
import java.util.Optional;
import java.util.Set;

/**
 * Who asks for something.
 *
 * @param owner whose jobs are made and seen
 * @param scopes what may be done
 */
public record Caller(String owner, Set<Scope> scopes) {
  /** What a token may be for. */
  public enum Scope {
    /** Looking. */
    READ,
    /** Making and changing jobs. */
    SUBMIT,
    /** Everything, with the jobs of all owners. */
    ADMIN
  }

  public Caller {
    scopes = Set.copyOf(scopes);
  }

  /** Who asks where no token is needed. */
  public static Caller local() {
    return new Caller("local", Set.of(Scope.ADMIN));
  }

  /** Whether a thing of this scope may be done. */
  public boolean may(Scope scope) {
    return scopes.contains(scope) || scopes.contains(Scope.ADMIN);
  }

  /** Whether a job is there for the one who asks. */
  public boolean sees(JobSummary job) {
    return onlyOwner().filter(owner -> !owner.equals(job.owner())).isEmpty();
  }

  /** Whose jobs alone are seen; those of all where empty. */
  public Optional<String> onlyOwner() {
    return scopes.contains(Scope.ADMIN) ? Optional.empty() : Optional.of(owner);
  }
}
