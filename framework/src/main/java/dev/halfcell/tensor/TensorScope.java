package dev.halfcell.tensor;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.ref.Cleaner;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Owns the memory of tensors and frees all of it at once when it is closed; use of a tensor after
 * that throws. What has to outlive a scope is copied into another by {@link #copy}. A scope that is
 * lost without being closed is reported in the log, never freed behind the owner's back; start Java
 * with {@code -Dhalfcell.scopes=trace} to learn where it was opened. Threads may share a scope, and
 * one may close it while an op on another still works on its tensors: the memory goes when that op
 * has finished.
 */
public final class TensorScope implements AutoCloseable {
  private static final Cleaner CLEANER = Cleaner.create();
  private static final long ALIGNMENT = 64;
  private static final int FREE = -1;

  private final Arena arena = Arena.ofShared();

  /** Open with this many holds; below 0 closed, with -1 - n of them. */
  private final AtomicInteger holds = new AtomicInteger();

  private final AtomicLong bytes = new AtomicLong();

  private final Optional<Guards> guards;

  private TensorScope(Optional<Guards> guards) {
    this.guards = guards;
    CLEANER.register(this, new Report(holds, origin()));
  }

  /** A promise that memory stays, until it is closed. Closing it twice does nothing. */
  @FunctionalInterface
  public interface Hold extends AutoCloseable {
    @Override
    void close();
  }

  /** A new scope, to be closed by who opened it. */
  public static TensorScope open() {
    return new TensorScope(Optional.empty());
  }

  /**
   * A scope for tests of backends: what it allocates starts as NaN instead of zeros, and lies
   * between guard bytes; {@link #close} throws where one of them was written.
   */
  public static TensorScope guarded() {
    return new TensorScope(Optional.of(new Guards()));
  }

  private static Optional<Throwable> origin() {
    return "trace".equals(System.getProperty("halfcell.scopes"))
        ? Optional.of(new Throwable("the scope was opened here"))
        : Optional.empty();
  }

  /** A tensor of zeros. */
  public Tensor allocate(TensorSpec spec) {
    return Tensor.owned(spec, allocate(spec.bytes()), this);
  }

  /**
   * Zeroed memory on a boundary of 64 bytes.
   *
   * @throws MemoryException where there is not enough
   */
  public MemorySegment allocate(long size) {
    try (Hold _ = hold()) {
      MemorySegment memory =
          guards
              .map(each -> each.between(arena, size, ALIGNMENT))
              .orElseGet(() -> arena.allocate(size, ALIGNMENT));
      bytes.addAndGet(size);
      return memory;
    } catch (OutOfMemoryError e) {
      throw new MemoryException(size, bytes.get(), e);
    }
  }

  /**
   * Keeps the memory of this scope until the answer is closed, even if the scope is closed before.
   *
   * @throws UsageException where it is closed already
   */
  public Hold hold() {
    take();
    return once(this::release);
  }

  private void take() {
    if (holds.getAndUpdate(n -> n < 0 ? n : n + 1) < 0) {
      throw new UsageException(
          new Problem(
              "TensorScope",
              "",
              "an open scope",
              "one that is closed",
              "Use its tensors before closing it."));
    }
  }

  private static Hold once(Runnable release) {
    AtomicBoolean held = new AtomicBoolean(true);
    return () -> {
      if (held.getAndSet(false)) {
        release.run();
      }
    };
  }

  /** The same for the scopes of all these tensors. */
  public static Hold hold(Collection<Tensor> tensors) {
    List<TensorScope> held = new ArrayList<>();
    try {
      for (Tensor tensor : tensors) {
        Optional<TensorScope> owner = tensor.owner().filter(scope -> !held.contains(scope));
        if (owner.isPresent()) {
          owner.get().take();
          held.add(owner.get());
        }
      }
    } catch (UsageException e) {
      held.forEach(TensorScope::release);
      throw e;
    }
    return once(() -> held.forEach(TensorScope::release));
  }

  private void release() {
    if (holds.updateAndGet(n -> n > 0 ? n - 1 : n + 1) == FREE) {
      arena.close();
    }
  }

  /** The same value in this scope. */
  public Tensor copy(Tensor tensor) {
    try (Hold _ = hold(List.of(tensor))) {
      Tensor copy = allocate(tensor.spec());
      copy.data().copyFrom(tensor.data());
      return copy;
    }
  }

  /**
   * Frees the memory of every tensor of this scope, as soon as nothing holds it. Closing twice does
   * nothing.
   */
  @Override
  public void close() {
    int open = holds.getAndUpdate(n -> n < 0 ? n : -1 - n);
    try {
      if (open >= 0) {
        guards.ifPresent(Guards::check);
      }
    } finally {
      if (open == 0) {
        arena.close();
      }
    }
  }

  private record Report(AtomicInteger holds, Optional<Throwable> origin) implements Runnable {
    @Override
    public void run() {
      if (holds.get() >= 0) {
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
