package dev.halfcell.backend;

import dev.halfcell.tensor.Tensor;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;

/** The end of every step, eager or planned: what is guarded moves only if the step is applied. */
public final class Commit {
  private Commit() {}

  /**
   * Assigns the values of an outcome to the variables of {@code state}, and tells whether the step
   * was applied.
   */
  public static boolean to(Variables state, Outcome<Tensor> outcome) {
    boolean apply = outcome.apply().map(flag -> flag.item() != 0).orElse(true);
    List<Runnable> copies = new ArrayList<>();
    Collection<Tensor> targets = outcome.assigns().keySet().stream().map(state::read).toList();
    outcome
        .assigns()
        .forEach(
            (variable, value) -> {
              if (apply || !variable.guarded()) {
                MemorySegment from = targets.contains(value) ? snapshot(value) : value.data();
                MemorySegment to = state.read(variable).write();
                copies.add(() -> to.copyFrom(from));
              }
            });
    copies.forEach(Runnable::run);
    return apply;
  }

  /** A value that is itself a variable of the state may be overwritten before it is copied. */
  private static MemorySegment snapshot(Tensor value) {
    return MemorySegment.ofArray(value.data().toArray(ValueLayout.JAVA_BYTE));
  }
}
