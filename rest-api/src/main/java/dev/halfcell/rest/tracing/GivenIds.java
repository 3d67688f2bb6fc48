package dev.halfcell.rest.tracing;

import dev.halfcell.rest.job.Trace;
import io.opentelemetry.sdk.trace.IdGenerator;
import java.util.function.Supplier;

/** Has spans called as the answers and logs that they belong to have been called already. */
final class GivenIds implements IdGenerator {
  private final ScopedValue<Trace> given = ScopedValue.newInstance();
  private final IdGenerator others = IdGenerator.random();

  /** What is made meanwhile on this thread gets these ids. */
  <T> T giving(Trace ids, Supplier<T> making) {
    return ScopedValue.where(given, ids).call(making::get);
  }

  @Override
  public String generateSpanId() {
    return given.isBound() ? given.get().span() : others.generateSpanId();
  }

  @Override
  public String generateTraceId() {
    return given.isBound() ? given.get().id() : others.generateTraceId();
  }
}
