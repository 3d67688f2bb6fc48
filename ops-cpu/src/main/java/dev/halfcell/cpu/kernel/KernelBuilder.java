package dev.halfcell.cpu.kernel;

import dev.halfcell.backend.Collective;
import dev.halfcell.cpu.onednn.Argument;
import dev.halfcell.cpu.onednn.Argument.Role;
import dev.halfcell.cpu.onednn.Descriptor;
import dev.halfcell.cpu.onednn.Handles;
import dev.halfcell.cpu.onednn.OneDnn;
import dev.halfcell.cpu.onednn.OneDnn.Chosen;
import dev.halfcell.cpu.onednn.Primitive;
import dev.halfcell.cpu.onednn.Recipe;
import dev.halfcell.cpu.onednn.Recipes;
import dev.halfcell.cpu.onednn.Region;
import dev.halfcell.op.convolution.Conv2dGeometry;
import dev.halfcell.tensor.DType;
import dev.halfcell.tensor.TensorSpec;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.IntConsumer;
import java.util.function.Supplier;
import java.util.stream.IntStream;

/**
 * Collects the stages of one kernel. A computation that wants its operands in another dtype or
 * layout asks for them so, and conversions become stages before and after it. Used once, by one
 * thread.
 */
final class KernelBuilder {
  private final Machine machine;
  private final Handles handles = new Handles();
  private final List<Stage> stages = new ArrayList<>();
  private final Deque<Runnable> conversionsBack = new ArrayDeque<>();
  private final List<Region> workspaces = new ArrayList<>();
  private final List<Primitive> primitives = new ArrayList<>();
  private final Map<Integer, Scratch> scratches = new HashMap<>();
  private final Map<ScratchPool.Room, Long> scratchBytes = new HashMap<>();
  private final Set<String> notes = new LinkedHashSet<>();
  private int reorders;
  private boolean early;
  private boolean converting;

  KernelBuilder(Machine machine) {
    this.machine = machine;
  }

  OneDnn onednn() {
    return machine.onednn();
  }

  Handles handles() {
    return handles;
  }

  Recipes recipes() {
    return new Recipes(machine.onednn(), handles);
  }

  /** How many parts a stage may have. */
  int threads() {
    return machine.threads();
  }

  /** The ranks that compute together. */
  Collective collective() {
    return machine.collective();
  }

  /** The dtype in which products of this dtype are computed. */
  DType computed(DType dtype) {
    return machine.computes().products().contains(dtype) ? dtype : dtype.wide();
  }

  /** The dtype in which convolutions of this dtype are computed, and their gradients. */
  DType convolved(DType dtype) {
    return machine.computes().convolutions().contains(dtype) ? dtype : dtype.wide();
  }

  /** Which of oneDNN's kernels to take for a convolution; {@code out} is what is computed. */
  KernelChoice kernels(Conv2dGeometry geometry, Operand weight, Operand out) {
    return new KernelChoice(onednn().isa(), geometry, weight.spec().shape(), out.dtype());
  }

  void stage(int parts, IntConsumer body) {
    stages.add(new Stage(parts, body, early, Optional.empty()));
  }

  /** A stage that goes through samples. */
  void stage(SampleLoop loop) {
    stages.add(loop.alone(early));
  }

  /** A stage that does the same as a loop over samples, shared out in another way. */
  void stage(Stage flat, SampleLoop loop) {
    Optional<SampleLoop> some = converting ? Optional.empty() : Optional.of(loop);
    stages.add(new Stage(flat.parts(), flat.body(), early, some));
  }

  /** Makes stages that read nothing but what is given beside samples, as a weight. */
  <T> T early(Supplier<T> maker) {
    early = true;
    T made = maker.get();
    early = false;
    return made;
  }

  /** The same of what gives nothing. */
  void early(Runnable maker) {
    early = true;
    maker.run();
    early = false;
  }

  /** What a part of the stages works in on the heap. */
  Scratch scratch(int part) {
    return scratches.computeIfAbsent(
        part, number -> new Scratch(machine.scratch(), number, scratchBytes));
  }

  /** A chunk for each of so many parts. */
  Chunk[] chunks(int parts) {
    return IntStream.range(0, parts).mapToObj(part -> scratch(part).chunk()).toArray(Chunk[]::new);
  }

  Region workspace(long bytes) {
    Region region = new Region(bytes);
    workspaces.add(region);
    return region;
  }

  Operand workspace(TensorSpec spec, Layout layout) {
    return new Operand(spec, layout, workspace(spec.bytes()));
  }

  /** Makes a primitive, with scratch memory of its own. */
  Primitive primitive(Recipe recipe, Argument... arguments) {
    List<Argument> all = new ArrayList<>(List.of(arguments));
    Descriptor scratch = onednn().chosen(recipe, Chosen.SCRATCHPAD);
    if (scratch.present() && scratch.bytes() > 0) {
      all.add(new Argument(Role.SCRATCHPAD, scratch, workspace(scratch.bytes()), 0));
    }
    Primitive primitive = Primitive.of(onednn(), handles, recipe, all);
    primitives.add(primitive);
    return primitive;
  }

  /** Says which code computes. */
  void note(String text) {
    notes.add(text);
  }

  /** Says that so many tensors are brought into another layout. */
  void reorders(int tensors) {
    reorders += tensors;
  }

  /** An input in this dtype and layout: itself, or a converted copy. */
  Operand in(Operand operand, DType dtype, Layout layout) {
    Operand cast = operand;
    if (operand.dtype() != dtype) {
      cast = workspace(operand.spec().as(dtype), operand.layout());
      convert(operand, cast);
    }
    if (Layout.same(cast.spec(), cast.layout(), layout)) {
      return new Operand(cast.spec(), layout, cast.region());
    }
    Operand ordered = workspace(cast.spec(), layout);
    Reorders.stage(this, cast, ordered);
    reorders(1);
    return ordered;
  }

  /**
   * All at once: were it joined with other loops, the room for what it fills would be kept as long
   * as theirs.
   */
  private void convert(Operand from, Operand to) {
    converting = true;
    Flat.cast(this, from, to);
    converting = false;
  }

  /** What to compute into so that an output gets converted from this dtype and layout. */
  Operand out(Operand operand, DType dtype, Layout layout) {
    Operand cast = operand;
    if (operand.dtype() != dtype) {
      Operand wide = workspace(operand.spec().as(dtype), operand.layout());
      conversionsBack.push(() -> convert(wide, operand));
      cast = wide;
    }
    if (Layout.same(cast.spec(), cast.layout(), layout)) {
      return new Operand(cast.spec(), layout, cast.region());
    }
    Operand ordered = workspace(cast.spec(), layout);
    Operand target = cast;
    conversionsBack.push(() -> Reorders.stage(this, ordered, target));
    reorders(1);
    return ordered;
  }

  /** All inputs row by row, in their own dtypes. */
  List<Operand> rowMajorIn(List<Operand> operands) {
    return operands.stream().map(x -> in(x, x.dtype(), Layout.ROW_MAJOR)).toList();
  }

  /** What to compute all outputs into row by row, in their own dtypes. */
  List<Operand> rowMajorOut(List<Operand> operands) {
    return operands.stream().map(y -> out(y, y.dtype(), Layout.ROW_MAJOR)).toList();
  }

  Kernel build() {
    while (!conversionsBack.isEmpty()) {
      conversionsBack.pop().run();
    }
    return new Kernel(
        handles, stages, workspaces, primitives, scratchBytes, String.join(" ", notes), reorders);
  }

  /** Destroys what was made so far, where the kernel cannot be completed. */
  void abandon() {
    handles.close();
  }
}
