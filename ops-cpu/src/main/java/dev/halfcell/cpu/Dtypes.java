package dev.halfcell.cpu;

import dev.halfcell.cpu.kernel.ComputedDtypes;
import dev.halfcell.cpu.onednn.Descriptor;
import dev.halfcell.cpu.onednn.Handles;
import dev.halfcell.cpu.onednn.Isa;
import dev.halfcell.cpu.onednn.OneDnn;
import dev.halfcell.cpu.onednn.Recipe;
import dev.halfcell.cpu.onednn.Recipes;
import dev.halfcell.cpu.onednn.UnimplementedException;
import dev.halfcell.op.convolution.Conv2dGeometry;
import dev.halfcell.tensor.DType;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.function.Function;

/** Which dtypes oneDNN computes in, found out by asking it. */
final class Dtypes {
  private Dtypes() {}

  static ComputedDtypes computed(OneDnn onednn) {
    Set<DType> products = EnumSet.of(DType.FP32);
    Set<DType> convolutions = EnumSet.of(DType.FP32);
    for (DType half : halves(onednn.isa())) {
      if (implemented(handles -> products(onednn, handles, half))) {
        products.add(half);
        if (implemented(handles -> convolutions(onednn, handles, half))) {
          convolutions.add(half);
        }
      }
    }
    return new ComputedDtypes(products, convolutions);
  }

  /** Those that the CPU has instructions for. */
  private static Set<DType> halves(Isa isa) {
    Set<DType> halves = EnumSet.noneOf(DType.class);
    if (isa.bf16()) {
      halves.add(DType.BF16);
    }
    if (isa.fp16()) {
      halves.add(DType.FP16);
    }
    return halves;
  }

  /** Whether there is all that is asked for, and none of it in oneDNN's plain code. */
  private static boolean implemented(Function<Handles, List<Recipe>> asked) {
    try (Handles handles = new Handles()) {
      return asked.apply(handles).stream().noneMatch(Recipe::slow);
    } catch (UnimplementedException e) {
      return false; // the answer, not a failure
    }
  }

  private static List<Recipe> products(OneDnn onednn, Handles handles, DType dtype) {
    Recipes recipes = new Recipes(onednn, handles);
    Descriptor matrix = onednn.dense(handles, dtype, 64, 64);
    Descriptor wide = onednn.dense(handles, DType.FP32, 64, 64);
    return List.of(
        recipes.product(matrix, matrix, Descriptor.NONE, matrix),
        recipes.product(matrix, matrix, Descriptor.NONE, wide));
  }

  /** A convolution with both of its gradients. */
  private static List<Recipe> convolutions(OneDnn onednn, Handles handles, DType dtype) {
    Recipes recipes = new Recipes(onednn, handles);
    Descriptor image = channelsLast(onednn, handles, dtype, 16);
    Descriptor result = channelsLast(onednn, handles, dtype, 14);
    Descriptor weight = onednn.any(handles, dtype, 16, 16, 3, 3);
    Descriptor dweight = onednn.any(handles, DType.FP32, 16, 16, 3, 3);
    Conv2dGeometry geometry = Conv2dGeometry.VALID;
    Recipe forward = recipes.convolution(geometry, image, weight, Descriptor.NONE, result);
    return List.of(
        forward,
        recipes.inputGradient(geometry, image, weight, result, forward),
        recipes.weightGradient(geometry, image, dweight, Descriptor.NONE, result, forward));
  }

  private static Descriptor channelsLast(OneDnn onednn, Handles handles, DType dtype, long side) {
    return onednn.strided(
        handles,
        dtype,
        new long[] {1, 16, side, side},
        new long[] {16 * side * side, 1, 16 * side, 16});
  }
}
