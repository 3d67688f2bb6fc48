package dev.halfcell.cpu;

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
import java.util.Set;

/** Which dtypes oneDNN computes products in, found out by asking it. */
final class Dtypes {
  private Dtypes() {}

  static Set<DType> computed(OneDnn onednn) {
    Set<DType> computed = EnumSet.of(DType.FP32);
    Isa isa = onednn.isa();
    if (isa.bf16() && implemented(onednn, DType.BF16)) {
      computed.add(DType.BF16);
    }
    if (isa.fp16() && implemented(onednn, DType.FP16)) {
      computed.add(DType.FP16);
    }
    return computed;
  }

  /** Whether there are a matrix product and a convolution with its gradient by its input. */
  private static boolean implemented(OneDnn onednn, DType dtype) {
    try (Handles handles = new Handles()) {
      Recipes recipes = new Recipes(onednn, handles);
      Descriptor matrix = onednn.dense(handles, dtype, 64, 64);
      Descriptor wide = onednn.dense(handles, DType.FP32, 64, 64);
      recipes.product(matrix, matrix, Descriptor.NONE, matrix);
      recipes.product(matrix, matrix, Descriptor.NONE, wide);
      Descriptor image = channelsLast(onednn, handles, dtype, 16);
      Descriptor result = channelsLast(onednn, handles, dtype, 14);
      Descriptor weight = onednn.any(handles, dtype, 16, 16, 3, 3);
      Conv2dGeometry geometry = Conv2dGeometry.VALID;
      Recipe forward = recipes.convolution(geometry, image, weight, Descriptor.NONE, result);
      recipes.inputGradient(geometry, image, weight, result, forward);
      return true;
    } catch (UnimplementedException e) {
      return false; // the answer, not a failure
    }
  }

  private static Descriptor channelsLast(OneDnn onednn, Handles handles, DType dtype, long side) {
    return onednn.strided(
        handles,
        dtype,
        new long[] {1, 16, side, side},
        new long[] {16 * side * side, 1, 16 * side, 16});
  }
}
