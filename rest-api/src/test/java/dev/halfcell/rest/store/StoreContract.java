package dev.halfcell.rest.store;

import static org.junit.jupiter.api.Assertions.assertInstanceOf;

import dev.halfcell.rest.job.Job;
import dev.halfcell.rest.job.JobId;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/** What the parts of the contract of stores share: an empty store for each test, and a clock. */
abstract class StoreContract {
  static final int EVENTS_KEPT = 50;

  final AtomicReference<Instant> now = new AtomicReference<>(Jobs.T0);
  @Nullable JobStore opened;

  /** An empty database. */
  abstract Database empty();

  @BeforeEach
  final void open() {
    InstantSource clock = () -> now.get();
    opened = new SqlJobStore(empty(), EVENTS_KEPT, clock);
  }

  @AfterEach
  final void close() {
    if (opened != null) {
      opened.close();
    }
  }

  final JobStore store() {
    return Objects.requireNonNull(opened, "a store is opened before each test");
  }

  final Job accept(NewJob job) {
    return assertInstanceOf(Acceptance.Accepted.class, store().accept(job, Jobs.NO_LIMITS)).job();
  }

  final Job claimed(String server, int second) {
    return store().claim(Jobs.claim(server, second)).orElseThrow().job();
  }

  final Job there(JobId id) {
    Optional<Job> job = store().find(id);
    return job.orElseThrow();
  }

  static Fence fence(Job job) {
    return new Fence(job.id(), job.attempts().getLast().server(), job.summary().attempt());
  }
}
