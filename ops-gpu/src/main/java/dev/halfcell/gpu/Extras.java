package dev.halfcell.gpu;

import dev.halfcell.plan.Program;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;

/**
 * What a plan holds on the device beside what its tasks fill.
 *
 * @param inputs where each input, constant or copy starts, by its slot
 * @param copies where the copy of each slot starts that is an input or a variable and is a result
 *     or becomes another variable, so that the step may change it
 * @param control where the word for problems and the byte for "yes" start
 * @param bytes all of it
 */
record Extras(Map<Integer, Long> inputs, Map<Integer, Long> copies, long control, long bytes) {
  Extras {
    inputs = Map.copyOf(inputs);
    copies = Map.copyOf(copies);
  }

  static Extras of(Program program) {
    long offset = 0;
    Map<Integer, Long> inputs = new LinkedHashMap<>();
    Set<Integer> given = new LinkedHashSet<>(program.inputs());
    given.addAll(program.constants().keySet());
    for (int slot : given) {
      inputs.put(slot, offset);
      offset += Compilation.aligned(program.spec(slot).bytes());
    }
    Map<Integer, Long> copies = new LinkedHashMap<>();
    for (int slot : copied(program)) {
      copies.put(slot, offset);
      offset += Compilation.aligned(program.spec(slot).bytes());
    }
    return new Extras(inputs, copies, offset, offset + Compilation.aligned(1));
  }

  private static Set<Integer> copied(Program program) {
    Set<Integer> slots = new LinkedHashSet<>(program.outcome().results());
    slots.addAll(program.outcome().assigns().values());
    slots.removeIf(slot -> !program.given(program.storage(slot)));
    return slots;
  }
}
