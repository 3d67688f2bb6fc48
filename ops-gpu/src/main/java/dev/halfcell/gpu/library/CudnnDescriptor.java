package dev.halfcell.gpu.library;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_FLOAT;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.List;

/**
 * A descriptor of cuDNN's backend, which is told its attributes and then finished.
 *
 * <p>Source of the numbers of types: {@code cudnnBackendAttributeType_t} in cudnn_graph.h.
 */
final class CudnnDescriptor implements AutoCloseable {
  private static final int HANDLE = 0;
  private static final int INTEGER = 3;
  private static final int FLOAT = 4;
  private static final int POINTER = 6;
  private static final int DESCRIPTOR = 15;

  private final CudnnFunctions functions;
  private final long address;

  private CudnnDescriptor(CudnnFunctions functions, long address) {
    this.functions = functions;
    this.address = address;
  }

  /**
   * A new one.
   *
   * @param type its {@code cudnnBackendDescriptorType_t}
   * @throws dev.halfcell.gpu.driver.LibraryException where the library refuses it
   */
  static CudnnDescriptor of(CudnnFunctions functions, int type) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment made = arena.allocate(ADDRESS);
      functions.require(functions.descriptorCreate, type, made);
      return new CudnnDescriptor(functions, made.get(ADDRESS, 0).address());
    }
  }

  long address() {
    return address;
  }

  private CudnnDescriptor set(int attribute, int type, long count, MemorySegment values) {
    functions.require(functions.set, address, attribute, type, count, values);
    return this;
  }

  /** Sets whole numbers. */
  CudnnDescriptor integers(int attribute, long... values) {
    try (Arena arena = Arena.ofConfined()) {
      return set(attribute, INTEGER, values.length, arena.allocateFrom(JAVA_LONG, values));
    }
  }

  /** Sets one of an enumeration's. */
  CudnnDescriptor choice(int attribute, int type, int value) {
    try (Arena arena = Arena.ofConfined()) {
      return set(attribute, type, 1, arena.allocateFrom(JAVA_INT, value));
    }
  }

  /** Sets a number. */
  CudnnDescriptor number(int attribute, float value) {
    try (Arena arena = Arena.ofConfined()) {
      return set(attribute, FLOAT, 1, arena.allocateFrom(JAVA_FLOAT, value));
    }
  }

  /** Sets another descriptor, which is finished. */
  CudnnDescriptor descriptor(int attribute, CudnnDescriptor other) {
    return addresses(attribute, DESCRIPTOR, other.address);
  }

  /** Sets the library's handle. */
  CudnnDescriptor handle(int attribute, long handle) {
    return addresses(attribute, HANDLE, handle);
  }

  /** Sets addresses on the device. */
  CudnnDescriptor pointers(int attribute, long... values) {
    return addresses(attribute, POINTER, values);
  }

  private CudnnDescriptor addresses(int attribute, int type, long... values) {
    try (Arena arena = Arena.ofConfined()) {
      return set(attribute, type, values.length, arena.allocateFrom(JAVA_LONG, values));
    }
  }

  /**
   * Has the library look through all that was set.
   *
   * @throws dev.halfcell.gpu.driver.LibraryException where it refuses
   */
  CudnnDescriptor finished() {
    functions.require(functions.finish, address);
    return this;
  }

  /** A whole number that the library has set. */
  long integer(int attribute) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment value = arena.allocate(JAVA_LONG);
      get(arena, attribute, INTEGER, 1, value);
      return value.get(JAVA_LONG, 0);
    }
  }

  /** What of an enumeration the library has set, {@code most} at the most. */
  List<Integer> choices(int attribute, int type, int most) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment values = arena.allocate(JAVA_INT, most);
      long count = Math.min(most, get(arena, attribute, type, most, values));
      int[] set = values.asSlice(0, count * Integer.BYTES).toArray(JAVA_INT);
      return Arrays.stream(set).boxed().toList();
    }
  }

  /** Has the library fill new descriptors, and tells how many it filled. */
  int fill(int attribute, List<CudnnDescriptor> empty) {
    try (Arena arena = Arena.ofConfined()) {
      long[] addresses = empty.stream().mapToLong(CudnnDescriptor::address).toArray();
      MemorySegment values = arena.allocateFrom(JAVA_LONG, addresses);
      return Math.toIntExact(get(arena, attribute, DESCRIPTOR, addresses.length, values));
    }
  }

  private long get(Arena arena, int attribute, int type, long most, MemorySegment values) {
    MemorySegment count = arena.allocate(JAVA_LONG);
    functions.require(functions.get, address, attribute, type, most, count, values);
    return count.get(JAVA_LONG, 0);
  }

  @Override
  public void close() {
    functions.require(functions.descriptorDestroy, address);
  }
}
