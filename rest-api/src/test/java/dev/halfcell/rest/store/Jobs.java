package dev.halfcell.rest.store;

import dev.halfcell.rest.job.Description;
import dev.halfcell.rest.job.JobAction;
import dev.halfcell.rest.job.JobId;
import dev.halfcell.rest.job.JobState;
import dev.halfcell.rest.job.Origin;
import dev.halfcell.rest.job.StatusReason;
import java.security.SecureRandom;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Jobs and what is done to them, as tests want them. */
final class Jobs {
  static final Instant T0 = Instant.parse("2026-11-22T10:00:00.123456789Z");
  static final AcceptLimits NO_LIMITS = new AcceptLimits(Long.MAX_VALUE, Long.MAX_VALUE);

  private static final SecureRandom RANDOM = new SecureRandom();

  private Jobs() {}

  static Instant at(int seconds) {
    return T0.plusSeconds(seconds);
  }

  static NewJob job(String owner, int priority, long bytes, Instant createdAt) {
    JobId id = JobId.random(RANDOM);
    return new NewJob(
        id,
        owner,
        Optional.empty(),
        Optional.empty(),
        new Description(Optional.of("a job"), Map.of(), Optional.empty(), priority, false),
        "lenet5",
        "O2",
        "{\"network\":\"lenet5\",\"id\":\"" + id + "\"}",
        "{\"network\":{\"name\":\"lenet5\"}}",
        bytes,
        Optional.empty(),
        Optional.empty(),
        createdAt);
  }

  static NewJob job(int second) {
    return job("local", 0, 1, at(second));
  }

  static NewJob keyed(NewJob job, String key, String request) {
    return new NewJob(
        job.id(),
        job.owner(),
        Optional.of(new NewJob.Key(key, request)),
        job.externalId(),
        job.description(),
        job.network(),
        job.level(),
        job.specification(),
        job.resolved(),
        job.estimatedBytes(),
        job.resumedFrom(),
        job.trace(),
        job.createdAt());
  }

  static NewJob from(NewJob job, Origin origin) {
    return new NewJob(
        job.id(),
        job.owner(),
        job.key(),
        job.externalId(),
        job.description(),
        job.network(),
        job.level(),
        job.specification(),
        job.resolved(),
        job.estimatedBytes(),
        Optional.of(origin),
        job.trace(),
        job.createdAt());
  }

  static NewJob named(NewJob job, String externalId) {
    return new NewJob(
        job.id(),
        job.owner(),
        job.key(),
        Optional.of(externalId),
        job.description(),
        job.network(),
        job.level(),
        job.specification(),
        job.resolved(),
        job.estimatedBytes(),
        job.resumedFrom(),
        job.trace(),
        job.createdAt());
  }

  static NewJob described(NewJob job, Description description, String network, String level) {
    return new NewJob(
        job.id(),
        job.owner(),
        job.key(),
        job.externalId(),
        description,
        network,
        level,
        job.specification(),
        job.resolved(),
        job.estimatedBytes(),
        job.resumedFrom(),
        job.trace(),
        job.createdAt());
  }

  static Claim claim(String server, int second) {
    return new Claim(server, 1 << 30, Long.MAX_VALUE, at(second), at(second + 15));
  }

  static StatusReason because(StatusReason.Code code, int second) {
    return new StatusReason(code, code.name().toLowerCase(java.util.Locale.ROOT) + ".", at(second));
  }

  static Transition does(JobAction action, StatusReason.Code code, int second) {
    return Transition.of(action, because(code, second));
  }

  static Transition does(JobAction action, StatusReason.Code code, int second, Fence fence) {
    return Transition.of(action, because(code, second), fence);
  }

  static JobQuery all(JobQuery.Order order, Optional<String> after, int limit) {
    return new JobQuery(
        Optional.empty(),
        Set.<JobState>of(),
        Map.of(),
        Optional.empty(),
        Optional.empty(),
        order,
        after,
        limit);
  }
}
