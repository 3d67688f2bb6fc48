package dev.halfcell.rest;

import dev.halfcell.rest.service.Quotas;
import dev.halfcell.rest.service.Retention;

/**
 * What keeps a server from filling up.
 *
 * @param retention how long jobs that are over are kept
 * @param quotas what jobs may take
 */
public record Housekeeping(Retention retention, Quotas.Limits quotas) {
  /** Everything is kept, and nothing is refused but for memory and a full queue. */
  public static Housekeeping none() {
    return new Housekeeping(Retention.forEver(), Quotas.Limits.none());
  }
}
