package dev.halfcell.cpu;

import dev.halfcell.backend.Backend;
import dev.halfcell.backend.Capabilities;
import dev.halfcell.backend.Collective;
import dev.halfcell.backend.Graph;
import dev.halfcell.backend.Plan;
import dev.halfcell.backend.PlanOptions;
import dev.halfcell.backend.PlanReport;
import dev.halfcell.backend.Variables;
import dev.halfcell.cpu.kernel.Machine;
import dev.halfcell.cpu.kernel.ScratchPool;
import dev.halfcell.cpu.kernel.Team;
import dev.halfcell.cpu.onednn.OneDnn;
import dev.halfcell.op.Executor;
import dev.halfcell.tensor.DType;
import dev.halfcell.tensor.Problem;
import dev.halfcell.tensor.TensorScope;
import dev.halfcell.tensor.UsageException;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import java.util.function.Supplier;

/**
 * The embedded default: oneDNN's kernels for convolutions and matrix products, Java for the rest,
 * each shared out among threads of its own. Results depend on the number of threads and on nothing
 * else that changes from run to run. Threads may share it; they take turns.
 */
public final class CpuBackend implements Backend {
  /** The name users choose it by. */
  public static final String NAME = "cpu";

  private final OneDnn onednn;
  private final Machine machine;
  private final Team team;
  private final EagerKernels eager;
  private final Set<CpuPlan> plans = ConcurrentHashMap.newKeySet();

  /** Held for reading while native objects are made or used, for writing while they go. */
  private final ReentrantReadWriteLock life = new ReentrantReadWriteLock();

  private boolean closed;

  private CpuBackend(OneDnn onednn, int threads) {
    this.onednn = onednn;
    this.machine =
        new Machine(
            onednn, threads, Dtypes.computed(onednn), Collective.single(), new ScratchPool());
    this.team = new Team(threads, onednn::enterThread);
    this.eager = new EagerKernels(machine, team);
  }

  /**
   * Loads the native library and starts the threads.
   *
   * @param threads how many compute, the calling one included
   * @throws dev.halfcell.tensor.HalfCellException naming the file and what is missing
   */
  public static CpuBackend open(int threads) {
    return new CpuBackend(OneDnn.open(), threads);
  }

  @Override
  public String name() {
    return NAME;
  }

  /** The dtypes in which convolutions are computed: not all in which products are. */
  Set<DType> convolutions() {
    return machine.computes().convolutions();
  }

  @Override
  public Capabilities capabilities() {
    return new Capabilities(machine.computes().products());
  }

  @Override
  public Map<String, String> versions() {
    return Map.of("onednn", onednn.version());
  }

  @Override
  public int threads() {
    return machine.threads();
  }

  /** The instruction sets that oneDNN uses here. */
  String isa() {
    return onednn.isa().toString();
  }

  /** How many native objects there are: those of open plans and of the eager kernels kept. */
  long nativeObjects() {
    return onednn.live();
  }

  @Override
  public Executor eager(TensorScope scope) {
    return (op, in, at) -> whileOpen(() -> eager.execute(op, in, at, scope));
  }

  @Override
  public Plan compile(Graph graph, Variables state, PlanOptions options, Collective collective) {
    return whileOpen(
        () -> {
          Compilation compiled = Compilation.of(machine.among(collective), graph, state, options);
          return CpuPlan.of(graph, state, team, compiled, plans);
        });
  }

  @Override
  public boolean watchesTasks() {
    return true;
  }

  @Override
  public PlanReport measure(Graph graph, PlanOptions options) {
    return whileOpen(() -> Compilation.measure(machine, graph, options));
  }

  private <T> T whileOpen(Supplier<T> work) {
    life.readLock().lock();
    try {
      if (closed) {
        throw new UsageException(
            new Problem(
                "cpu", "", "an open backend", "one that is closed", "Open another backend."));
      }
      return work.get();
    } finally {
      life.readLock().unlock();
    }
  }

  /** Closes the plans that are still open, too. Closing twice does nothing. */
  @Override
  public void close() {
    team.requireOutside();
    life.writeLock().lock();
    try {
      if (!closed) {
        List.copyOf(plans).forEach(CpuPlan::close);
        eager.close();
        team.close();
        onednn.close();
        closed = true;
      }
    } finally {
      life.writeLock().unlock();
    }
  }
}
