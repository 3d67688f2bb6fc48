package dev.halfcell.cpu;

import dev.halfcell.cpu.kernel.Kernel;
import dev.halfcell.cpu.kernel.Kernels;
import dev.halfcell.cpu.kernel.Machine;
import dev.halfcell.cpu.kernel.Operand;
import dev.halfcell.cpu.kernel.Team;
import dev.halfcell.cpu.onednn.Region;
import dev.halfcell.op.CellPath;
import dev.halfcell.op.Op;
import dev.halfcell.plan.Work;
import dev.halfcell.tensor.Tensor;
import dev.halfcell.tensor.TensorScope;
import dev.halfcell.tensor.TensorSpec;
import java.lang.foreign.MemorySegment;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Runs ops one by one. The kernels of the ops that ran last are kept, up to a bound, and only bound
 * to other memory. Threads take turns.
 */
final class EagerKernels implements AutoCloseable {
  private static final int KEPT = 256;
  private static final long ALIGNMENT = 64;

  private final Machine machine;
  private final Team team;
  private final Map<Key, Made> made = new LinkedHashMap<>(16, 0.75f, true);

  /** Memory that the kernels of all ops use in turn. */
  private TensorScope workspaces = TensorScope.open();

  private MemorySegment workspace = MemorySegment.NULL;

  EagerKernels(Machine machine, Team team) {
    this.machine = machine;
    this.team = team;
  }

  private record Key(Op op, List<TensorSpec> in, CellPath at) {}

  private record Made(Kernel kernel, List<Operand> in, List<Operand> out) {}

  synchronized List<Tensor> execute(Op op, List<Tensor> in, CellPath at, TensorScope scope) {
    team.requireOutside(); // before what the op outside works in is given to another
    Made entry = made.computeIfAbsent(new Key(op, Tensor.specs(in), at), this::make);
    List<Tensor> out = entry.out().stream().map(o -> scope.allocate(o.spec())).toList();
    try (TensorScope.Hold _ = TensorScope.hold(in);
        TensorScope.Hold _ = scope.hold()) {
      place(entry.in(), in);
      place(entry.out(), out);
      placeWorkspaces(entry.kernel().workspaces());
      entry.kernel().bind();
      team.run(entry.kernel().stages());
    }
    dropOldest();
    return out;
  }

  private Made make(Key key) {
    List<Operand> in = key.in().stream().map(Operand::rowMajor).toList();
    List<Operand> out = key.op().infer(key.in(), key.at()).stream().map(Operand::rowMajor).toList();
    return new Made(Kernels.of(machine, new Work.Single(key.op()), in, out, key.at()), in, out);
  }

  private static void place(List<Operand> operands, List<Tensor> tensors) {
    for (int i = 0; i < operands.size(); i++) {
      operands.get(i).region().place(tensors.get(i).data());
    }
  }

  private void placeWorkspaces(List<Region> regions) {
    long bytes = regions.stream().mapToLong(region -> aligned(region.bytes())).sum();
    if (bytes > workspace.byteSize()) {
      workspace = MemorySegment.NULL; // should there be too little memory for more
      workspaces.close();
      workspaces = TensorScope.open();
      workspace = workspaces.allocate(bytes);
    }
    long offset = 0;
    for (Region region : regions) {
      region.place(workspace.asSlice(offset, region.bytes()));
      offset += aligned(region.bytes());
    }
  }

  private static long aligned(long bytes) {
    return Math.ceilDiv(bytes, ALIGNMENT) * ALIGNMENT;
  }

  private void dropOldest() {
    while (made.size() > KEPT) {
      Key oldest = made.keySet().iterator().next();
      Made dropped = made.remove(oldest);
      if (dropped != null) {
        dropped.kernel().close();
      }
    }
  }

  @Override
  public synchronized void close() {
    made.values().forEach(entry -> entry.kernel().close());
    made.clear();
    workspaces.close();
  }
}
