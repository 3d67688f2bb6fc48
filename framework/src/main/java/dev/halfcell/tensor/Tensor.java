package dev.halfcell.tensor;

import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Optional;

/**
 * A value or, while a step is traced, the promise of one. It is data and has no arithmetic: cells
 * call the vocabulary {@code Ops}. Elements lie densely, last axis fastest, in off-heap memory that
 * a {@link TensorScope} owns. Two tensors are equal only if they are the same object, because a
 * tape keys on it. Threads may share a tensor that none of them writes.
 */
public final class Tensor {
  private final TensorSpec spec;
  private final Optional<MemorySegment> data;
  private final Optional<TensorScope> owner;
  private volatile Optional<Residence> residence = Optional.empty();

  private Tensor(TensorSpec spec, Optional<MemorySegment> data, Optional<TensorScope> owner) {
    this.spec = spec;
    this.data = data;
    this.owner = owner;
  }

  /** The promise of a value. */
  public static Tensor symbol(TensorSpec spec) {
    return new Tensor(spec, Optional.empty(), Optional.empty());
  }

  /** A tensor over memory that holds exactly its elements. */
  public static Tensor over(TensorSpec spec, MemorySegment data) {
    ArgumentException.require(
        data.byteSize() == spec.bytes(),
        "Tensor",
        spec.bytes() + " bytes for " + spec,
        data.byteSize() + " bytes");
    return new Tensor(spec, Optional.of(data), Optional.empty());
  }

  static Tensor owned(TensorSpec spec, MemorySegment data, TensorScope owner) {
    return new Tensor(spec, Optional.of(data), Optional.of(owner));
  }

  /** A tensor with these elements, each rounded to the dtype. */
  public static Tensor of(TensorScope scope, TensorSpec spec, double... elements) {
    ArgumentException.requirePresent(scope, "Tensor", "scope");
    ArgumentException.requirePresent(spec, "Tensor", "spec");
    ArgumentException.requirePresent(elements, "Tensor", "elements");
    ArgumentException.require(
        elements.length == spec.size(),
        "Tensor",
        spec.size() + " elements for " + spec,
        elements.length);
    Tensor tensor = scope.allocate(spec);
    for (int i = 0; i < elements.length; i++) {
      Elements.set(tensor.data(), spec.dtype(), i, elements[i]);
    }
    return tensor;
  }

  /** A tensor of no axes. */
  public static Tensor scalar(TensorScope scope, DType dtype, double value) {
    return of(scope, TensorSpec.of(dtype), value);
  }

  /** The specs of tensors, in their order. */
  public static List<TensorSpec> specs(List<Tensor> tensors) {
    return tensors.stream().map(Tensor::spec).toList();
  }

  /** Dtype and shape. */
  public TensorSpec spec() {
    return spec;
  }

  /** How the elements are stored. */
  public DType dtype() {
    return spec.dtype();
  }

  /** The sizes of the axes. */
  public Shape shape() {
    return spec.shape();
  }

  /** Whether this is only the promise of a value. */
  public boolean symbolic() {
    return data.isEmpty();
  }

  /** Who frees the memory; none where that is somebody else's, such as a plan's. */
  Optional<TensorScope> owner() {
    return owner;
  }

  /**
   * The memory of the elements, to be read. Throws while the step is traced, and after the scope's
   * end. What a backend holds newer elsewhere is brought here first, and may then only be read.
   */
  public MemorySegment data() {
    MemorySegment memory = host();
    Optional<Residence> elsewhere = residence;
    elsewhere.ifPresent(Residence::fetch);
    return elsewhere.isPresent() ? memory.asReadOnly() : memory;
  }

  /** The same, to be written: what a backend holds elsewhere is older from now on. */
  public MemorySegment write() {
    MemorySegment memory = host();
    residence.ifPresent(
        elsewhere -> {
          elsewhere.fetch();
          elsewhere.written();
        });
    return memory;
  }

  /** Tells that a backend holds the elements in memory of its own, too. */
  public void reside(Residence elsewhere) {
    residence = Optional.of(elsewhere);
  }

  /** Takes that back: from now on the host's memory is all there is. */
  public void leave() {
    residence = Optional.empty();
  }

  /** The host's memory as it is, older or not: for a {@link Residence} to fill. */
  public MemorySegment host() {
    MemorySegment memory = data.orElseThrow(this::promiseOnly);
    if (!memory.scope().isAlive()) {
      throw new UsageException(
          new Problem(
              "Tensor",
              "",
              "a tensor of an open scope",
              "tensor " + spec + ", closed",
              "Read it before its scope is closed, or copy it into another."));
    }
    return memory;
  }

  private UsageException promiseOnly() {
    return new UsageException(
        new Problem(
            "Tensor",
            "",
            "a value to read",
            "the promise of a " + spec + ", as in every step that is being traced",
            "Do not read values in construct: compute with ops, or run the step eagerly."));
  }

  /** Element {@code index} in flat order. */
  public double at(long index) {
    MemorySegment memory = data();
    long size = memory.byteSize() / spec.dtype().bytes();
    if (index < 0 || index >= size) {
      throw new ArgumentException("Tensor", "an element from 0 to " + (size - 1), index);
    }
    return Elements.get(memory, spec.dtype(), index);
  }

  /** All elements in flat order, in an array of its own. */
  public double[] toArray() {
    MemorySegment from = data();
    double[] elements = new double[Math.toIntExact(spec.size())];
    for (int i = 0; i < elements.length; i++) {
      elements[i] = Elements.get(from, spec.dtype(), i);
    }
    return elements;
  }

  /** The value of a tensor of one element. */
  public double item() {
    ArgumentException.require(spec.size() == 1, "Tensor", "one element", spec);
    return at(0);
  }

  /** Whether the other has the same spec and the same bits. */
  public boolean sameBits(Tensor other) {
    return spec.equals(other.spec) && data().mismatch(other.data()) == -1;
  }

  @Override
  public String toString() {
    return spec.toString();
  }
}
