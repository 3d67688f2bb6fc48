package dev.halfcell.cpu.onednn;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;

/**
 * A primitive made over regions of memory. {@link #bind} tells it where they are; after that {@link
 * #run} is one native call. One thread at a time.
 */
public final class Primitive {
  private static final long ARGUMENT_BYTES = 16; // dnnl_exec_arg_t: an int, then a pointer
  private static final long POINTER_OFFSET = 8;

  private final OneDnn onednn;
  private final long handle;
  private final List<Argument> arguments;
  private final List<Long> memories = new ArrayList<>();
  private final MemorySegment table;
  private final long address;

  private Primitive(OneDnn onednn, Handles owner, long handle, List<Argument> arguments) {
    this.onednn = onednn;
    this.handle = handle;
    this.arguments = List.copyOf(arguments);
    Arena arena = Arena.ofShared();
    owner.add(arena::close);
    table = arena.allocate(ARGUMENT_BYTES * arguments.size(), ARGUMENT_BYTES);
    address = table.address();
    for (int i = 0; i < arguments.size(); i++) {
      long memory = memory(owner, arguments.get(i).descriptor());
      memories.add(memory);
      table.set(JAVA_INT, ARGUMENT_BYTES * i, arguments.get(i).role().code);
      table.set(JAVA_LONG, ARGUMENT_BYTES * i + POINTER_OFFSET, memory);
    }
  }

  /** Makes the primitive of a recipe; {@code arguments} hold its scratch memory if it has any. */
  public static Primitive of(
      OneDnn onednn, Handles owner, Recipe recipe, List<Argument> arguments) {
    Functions functions = onednn.functions();
    long handle = functions.create("dnnl_primitive_create", "P", recipe.handle());
    onednn.own(owner, "dnnl_primitive_destroy", handle);
    return new Primitive(onednn, owner, handle, arguments);
  }

  private long memory(Handles owner, Descriptor descriptor) {
    Functions functions = onednn.functions();
    long memory =
        functions.create("dnnl_memory_create", "PPP", descriptor.handle(), onednn.engine(), 0L);
    onednn.own(owner, "dnnl_memory_destroy", memory);
    return memory;
  }

  /** Takes over where the regions are now. */
  public void bind() {
    for (int i = 0; i < memories.size(); i++) {
      place(i, 0);
    }
  }

  private void place(int argument, int sample) {
    Argument of = arguments.get(argument);
    long place = of.region().data().address() + of.offset() + of.step() * sample;
    onednn.place(memories.get(argument), place);
  }

  /** Computes. */
  public void run() {
    onednn.execute(handle, memories.size(), address);
  }

  /** Computes from a sample on: what moves from sample to sample begins there. */
  public void run(int sample) {
    for (int i = 0; i < memories.size(); i++) {
      if (arguments.get(i).step() > 0) {
        place(i, sample);
      }
    }
    run();
  }
}
