package dev.halfcell.rest;

import dev.halfcell.rest.http.AccessLog;
import dev.halfcell.rest.service.Quotas;
import dev.halfcell.rest.service.Retention;
import dev.halfcell.rest.tracing.Tracing;

/**
 * What a server does for those who operate it.
 *
 * @param retention how long jobs that are over are kept
 * @param quotas what jobs may take
 * @param accessLog is told of each request; the server closes it
 */
public record Housekeeping(Retention retention, Quotas.Limits quotas, AccessLog accessLog) {
  /** Everything is kept, nothing is refused but for memory and a full queue, nothing is logged. */
  public static Housekeeping none() {
    return new Housekeeping(
        Retention.forEver(), Quotas.Limits.none(), AccessLog.none(Tracing.none()));
  }
}
