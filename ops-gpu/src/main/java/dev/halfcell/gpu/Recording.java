package dev.halfcell.gpu;

import dev.halfcell.gpu.driver.DriverCallException;
import dev.halfcell.gpu.driver.GpuGraph;
import dev.halfcell.gpu.driver.GpuStream;
import dev.halfcell.tensor.HalfCellException;
import dev.halfcell.tensor.MemoryException;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

/**
 * Makes a step one launch: the first is done launch by launch, by which the driver loads the
 * kernels; the next is recorded as a graph. A recording can fail where a library does what may not
 * be recorded, or where there is no memory for it. The step is done launch by launch then, and so
 * are all where it fails again and again; not counted is what fails for a task that a library has
 * lost by it, for the next recording is without that.
 */
final class Recording implements AutoCloseable {
  private static final int TRIALS = 3;

  private final GpuStream stream;
  private final LongSupplier lost;
  private final Consumer<String> notices;
  private Optional<GpuGraph> recorded = Optional.empty();
  private boolean warm;
  private int failures;

  /**
   * One of what is queued on a stream.
   *
   * @param lost how many tasks libraries have given up so far
   * @param notices is told where steps stay slow, and why
   */
  Recording(GpuStream stream, LongSupplier lost, Consumer<String> notices) {
    this.stream = stream;
    this.lost = lost;
    this.notices = notices;
  }

  /** Queues a step, which is the same each time. */
  void step(Runnable launches) {
    if (warm && recorded.isEmpty() && failures < TRIALS) {
      record(launches);
    }
    recorded.ifPresentOrElse(graph -> graph.launch(stream), launches);
    warm = true;
  }

  private void record(Runnable launches) {
    long before = lost.getAsLong();
    try {
      recorded = Optional.of(stream.capture(launches));
    } catch (DriverCallException e) {
      if (!e.endedCapture()) {
        throw e;
      }
      if (lost.getAsLong() == before) {
        count(e);
      }
    } catch (MemoryException e) {
      count(e);
    }
  }

  private void count(HalfCellException failure) {
    failures++;
    if (failures == TRIALS) {
      notices.accept(
          "steps kernel by kernel, which takes longer: none can be recorded: "
              + failure.getMessage());
    }
  }

  @Override
  public void close() {
    recorded.ifPresent(GpuGraph::close);
  }
}
