package dev.halfcell.gpu.kernel;

import dev.halfcell.gpu.driver.GpuKernel.Argument;
import dev.halfcell.op.CellPath;
import dev.halfcell.op.shape.Concat;
import dev.halfcell.op.shape.Pad;
import dev.halfcell.op.shape.Rearrangement;
import dev.halfcell.op.shape.Repeat;
import dev.halfcell.op.shape.Reshape;
import dev.halfcell.op.shape.ReverseSequence;
import dev.halfcell.op.shape.Slice;
import dev.halfcell.op.shape.Transpose;
import dev.halfcell.tensor.Elements;
import dev.halfcell.tensor.Shape;
import dev.halfcell.tensor.TensorSpec;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;

/** Ops that move elements, of any dtype: {@code move.cu}. */
final class RearrangementKernels {
  private static final String FILE = "move";

  private RearrangementKernels() {}

  static Recipe of(
      KernelLibrary kernels, Rearrangement op, List<TensorSpec> in, TensorSpec out, CellPath at) {
    Shape x = in.getFirst().shape();
    return switch (op) {
      case Reshape _ -> moved(kernels, op, List.of(move(0, View.dense(x), View.dense(x))), at);
      case Repeat(Shape to, List<Integer> axes) ->
          moved(kernels, op, List.of(move(0, repeated(to, axes), View.dense(to))), at);
      case Transpose(List<Integer> order) ->
          moved(kernels, op, List.of(move(0, transposed(x, order), View.dense(out.shape()))), at);
      case Slice slice ->
          moved(kernels, op, List.of(move(0, box(x, slice), View.dense(out.shape()))), at);
      case Concat(int axis) -> moved(kernels, op, joined(in, axis, out.shape()), at);
      case Pad pad -> padded(kernels, pad, in.getFirst(), out, at);
      case ReverseSequence _ -> throw Kernels.refusal(op.label(), "another op", at);
    };
  }

  /** Zeros, of any dtype. */
  static Recipe zeros(KernelLibrary kernels, TensorSpec out) {
    return Recipe.of(place -> List.of(fill(kernels, place, out, 0)));
  }

  /**
   * Elements of an input that go to the output.
   *
   * @param input which input they are of
   * @param from where they lie in it
   * @param to where they go
   */
  private record Move(int input, View from, View to) {
    long size() {
      return to.axes().stream().mapToLong(View.Axis::size).reduce(1, Math::multiplyExact);
    }
  }

  private static Move move(int input, View from, View to) {
    return new Move(input, from, to);
  }

  private static View repeated(Shape to, List<Integer> added) {
    List<View.Axis> axes = new ArrayList<>();
    long stride = 1;
    for (int axis = to.rank() - 1; axis >= 0; axis--) {
      boolean isNew = added.contains(axis);
      axes.addFirst(new View.Axis(to.dim(axis), isNew ? 0 : stride));
      stride *= isNew ? 1 : to.dim(axis);
    }
    return new View(0, axes);
  }

  private static View transposed(Shape x, List<Integer> order) {
    List<View.Axis> own = View.dense(x).axes();
    return new View(0, order.stream().map(own::get).toList());
  }

  /** A box of a tensor. */
  private static View box(Shape whole, Slice slice) {
    List<View.Axis> own = View.dense(whole).axes();
    long start = 0;
    List<View.Axis> axes = new ArrayList<>();
    for (int axis = 0; axis < whole.rank(); axis++) {
      long stride = own.get(axis).stride();
      start += slice.start().get(axis) * stride;
      axes.add(new View.Axis(slice.size().get(axis), slice.stride().get(axis) * stride));
    }
    return new View(start, axes);
  }

  private static List<Move> joined(List<TensorSpec> in, int axis, Shape to) {
    List<Move> moves = new ArrayList<>();
    int start = 0;
    for (int i = 0; i < in.size(); i++) {
      int size = in.get(i).dim(axis);
      View place = box(to, Slice.along(to, axis, start, size));
      moves.add(move(i, View.dense(in.get(i).shape()), place));
      start += size;
    }
    return moves;
  }

  private static Recipe moved(
      KernelLibrary kernels, Rearrangement op, List<Move> moves, CellPath at) {
    List<List<Argument>> views =
        moves.stream()
            .map(each -> List.of(view(op, each.from(), at), view(op, each.to(), at)))
            .toList();
    return Recipe.of(
        place -> {
          List<Launch> launches = new ArrayList<>();
          for (int i = 0; i < moves.size(); i++) {
            launches.add(launch(kernels, place, moves.get(i), views.get(i)));
          }
          return launches;
        });
  }

  private static Recipe padded(
      KernelLibrary kernels, Pad pad, TensorSpec x, TensorSpec out, CellPath at) {
    Move inside = move(0, View.dense(x.shape()), box(out.shape(), pad.kept(x.shape())));
    List<Argument> views = List.of(view(pad, inside.from(), at), view(pad, inside.to(), at));
    long bits = bits(out, pad.value());
    return Recipe.of(
        place -> List.of(fill(kernels, place, out, bits), launch(kernels, place, inside, views)));
  }

  private static Argument view(Rearrangement op, View view, CellPath at) {
    return view.argument()
        .orElseThrow(() -> Kernels.refusal(op.label(), "more than 8 axes in another order", at));
  }

  private static Launch launch(
      KernelLibrary kernels, Recipe.Place place, Move move, List<Argument> views) {
    DeviceTensor x = place.in(move.input());
    return KernelLaunch.each(
        kernels.kernel(FILE, "move_" + x.spec().dtype().bytes()),
        move.size(),
        x.argument(),
        place.out(0).argument(),
        views.get(0),
        views.get(1),
        new Argument.Int64(move.size()));
  }

  private static Launch fill(KernelLibrary kernels, Recipe.Place place, TensorSpec out, long bits) {
    return KernelLaunch.each(
        kernels.kernel(FILE, "fill_" + out.dtype().bytes()),
        out.size(),
        place.out(0).argument(),
        new Argument.Int64(bits),
        place.out(0).size());
  }

  /** How a value is stored. */
  private static long bits(TensorSpec spec, double value) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment word = arena.allocate(Long.BYTES, Long.BYTES);
      Elements.set(word, spec.dtype(), 0, value);
      return word.get(ValueLayout.JAVA_LONG, 0);
    }
  }
}
