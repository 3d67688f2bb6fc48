package dev.halfcell.cpu.kernel;

import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

/**
 * What the kernels of a backend work in on the heap. One kernel runs at a time, so all of them take
 * the same; each part of a stage has its own. It is kept for as long as a kernel holds it. Thread
 * safe.
 */
public final class ScratchPool {
  private final Map<Key, List<WeakReference<Object>>> made = new HashMap<>();

  /** What is alike: of one part of stages, of one type and one size. */
  record Key(int part, Class<?> type, Object size) {}

  /** The {@code number}th of its kind; made where no kernel holds it. */
  synchronized Object get(Key key, int number, Supplier<?> maker) {
    List<WeakReference<Object>> all = made.computeIfAbsent(key, _ -> new ArrayList<>());
    while (all.size() <= number) {
      all.add(new WeakReference<>(null));
    }
    Object kept = all.get(number).get();
    if (kept != null) {
      return kept;
    }
    Object fresh = maker.get();
    all.set(number, new WeakReference<>(fresh));
    return fresh;
  }
}
