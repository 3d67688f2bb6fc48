package dev.halfcell.tensor;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.ref.Cleaner;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Owns the memory of tensors and frees all of it at once when it is closed; use of a tensor after
 * that throws. What has to outlive a scope is copied into another by {@link #copy}. A scope that is
 * lost without being closed is reported in the log, never freed behind the owner's back; start Java
 * with {@code -Dhalfcell.scopes=trace} to learn where it was opened. Threads may share a scope.
 */
public final class TensorScope implements AutoCloseable {
  private static final Cleaner CLEANER = Cleaner.create();
  private static final long ALIGNMENT = 64;

  private final Arena arena = Arena.ofShared();
  private final AtomicBoolean closed = new AtomicBoolean();

  private TensorScope() {
    CLEANER.register(this, new Report(closed, origin()));
  }

  /** A new scope, to be closed by who opened it. */
  public static TensorScope open() {
    return new TensorScope();
  }

  private static Optional<Throwable> origin() {
    return "trace".equals(System.getProperty("halfcell.scopes"))
        ? Optional.of(new Throwable("the scope was opened here"))
        : Optional.empty();
  }

  /** A tensor of zeros. */
  public Tensor allocate(TensorSpec spec) {
    return Tensor.over(spec, allocate(spec.bytes()));
  }

  /** Zeroed memory on a boundary of 64 bytes. */
  public MemorySegment allocate(long bytes) {
    try {
      return arena.allocate(bytes, ALIGNMENT);
    } catch (IllegalStateException e) {
      throw new UsageException(
          new Problem(
              "TensorScope",
              "",
              "an open scope",
              "one that is closed",
              "Allocate before closing it."));
    }
  }

  /** The same value in this scope. */
  public Tensor copy(Tensor tensor) {
    Tensor copy = allocate(tensor.spec());
    copy.data().copyFrom(tensor.data());
    return copy;
  }

  /** Frees the memory of every tensor of this scope. Closing twice does nothing. */
  @Override
  public void close() {
    if (closed.compareAndSet(false, true)) {
      arena.close();
    }
  }

  private record Report(AtomicBoolean closed, Optional<Throwable> origin) implements Runnable {
    @Override
    public void run() {
      if (!closed.get()) {
        System.getLogger(TensorScope.class.getName())
            .log(
                System.Logger.Level.WARNING,
                "A TensorScope was lost without being closed; its memory stays taken."
                    + (origin.isPresent()
                        ? ""
                        : " -Dhalfcell.scopes=trace tells where it was opened."),
                origin.orElse(null));
      }
    }
  }
}
