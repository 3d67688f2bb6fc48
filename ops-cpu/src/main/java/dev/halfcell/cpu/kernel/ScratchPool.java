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
  public record Key(int part, Class<?> type, Object size) {}

  /** One of those that are alike; kernels that take the same one share it. */
  public record Room(Key key, int number) {}

  /** What stands for a room; made where no kernel holds it. */
  synchronized Object get(Room room, Supplier<?> maker) {
    int number = room.number();
    List<WeakReference<Object>> all = made.computeIfAbsent(room.key(), _ -> new ArrayList<>());
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
