package dev.halfcell.gpu;

import dev.halfcell.gpu.driver.DeviceMemory;
import dev.halfcell.gpu.driver.GpuEvent;
import dev.halfcell.gpu.driver.PinnedMemory;
import dev.halfcell.gpu.kernel.ProblemWord;
import dev.halfcell.plan.Program;
import dev.halfcell.tensor.Tensor;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;

/**
 * Brings a plan's inputs to the device. Two slots of pinned memory take turns, so that the host
 * fills one while the device still copies from the other, or still computes on what it copied.
 */
final class Staging implements AutoCloseable {
  private static final int SLOTS = 2;

  private final Owned owned = new Owned();
  private final GpuQueue queue;
  private final List<DeviceMemory> targets = new ArrayList<>();
  private final List<Slot> slots = new ArrayList<>();
  private final Problems problems;
  private final DeviceMemory problem;
  private int turn;
  private List<Tensor> prepared = List.of();

  private record Slot(PinnedMemory memory, PinnedMemory problem, GpuEvent free) {
    boolean noted() {
      return problem.memory().get(ValueLayout.JAVA_LONG, 0) != ProblemWord.NONE;
    }
  }

  Staging(GpuQueue queue, Program program, Placement placement, Problems problems) {
    this.queue = queue;
    this.problems = problems;
    this.problem = placement.problem();
    long bytes = 0;
    for (int slot : program.inputs()) {
      targets.add(placement.memory(slot));
      bytes += Compilation.aligned(program.spec(slot).bytes());
    }
    try {
      for (int i = 0; i < SLOTS; i++) {
        slots.add(slot(bytes));
      }
    } catch (RuntimeException | Error e) {
      owned.close();
      throw e;
    }
  }

  private Slot slot(long bytes) {
    PinnedMemory word = queue.device().pinned(ProblemWord.BYTES);
    owned.atEnd(word::close);
    word.memory().set(ValueLayout.JAVA_LONG, 0, ProblemWord.NONE);
    PinnedMemory memory = queue.device().pinned(bytes);
    owned.atEnd(memory::close);
    GpuEvent free = queue.device().event();
    owned.atEnd(free::close);
    return new Slot(memory, word, free);
  }

  /**
   * Queues copies of the inputs, which may change as soon as this returns.
   *
   * @throws dev.halfcell.tensor.DataException where the run before the last found a problem
   */
  void upload(List<Tensor> inputs) {
    Slot slot = slots.get(turn);
    slot.free().synchronize();
    if (slot.noted()) {
      slot.problem().memory().set(ValueLayout.JAVA_LONG, 0, ProblemWord.NONE);
      problems.check();
    }
    if (!isPrepared(inputs)) {
      discard();
      send(inputs, slot);
    }
    prepared = List.of();
  }

  /**
   * Does so, behind what is queued, for a run to come; it is for that run to tell of problems.
   *
   * @param inputs which may not change until then
   */
  void prepare(List<Tensor> inputs) {
    Slot slot = slots.get(turn);
    slot.free().synchronize();
    discard();
    send(inputs, slot);
    prepared = List.copyOf(inputs);
  }

  private boolean isPrepared(List<Tensor> inputs) {
    boolean same = prepared.size() == inputs.size();
    for (int i = 0; same && i < inputs.size(); i++) {
      same = prepared.get(i) == inputs.get(i);
    }
    return same;
  }

  /** Waits for the copy from the slot that nobody wants after all. */
  private void discard() {
    if (!prepared.isEmpty()) {
      prepared = List.of();
      queue.stream().synchronize();
    }
  }

  private void send(List<Tensor> inputs, Slot slot) {
    long offset = 0;
    for (int i = 0; i < targets.size(); i++) {
      DeviceMemory to = targets.get(i);
      MemorySegment from = slot.memory().memory().asSlice(offset, to.bytes());
      from.copyFrom(inputs.get(i).data());
      queue.stream().upload(from, to);
      offset += Compilation.aligned(to.bytes());
    }
  }

  /** The slot is free when what is queued by now is done. */
  void sent() {
    queue.stream().download(problem, slots.get(turn).problem().memory());
    queue.stream().record(slots.get(turn).free());
    turn = (turn + 1) % SLOTS;
  }

  @Override
  public void close() {
    queue.stream().synchronize();
    owned.close();
  }
}
