package dev.halfcell.cpu.onednn;

import dev.halfcell.op.Padding2d;
import dev.halfcell.op.convolution.Conv2dGeometry;
import java.lang.foreign.Arena;

/**
 * Asks oneDNN for computations. Each method throws {@link UnimplementedException} where it has none
 * for these dtypes and layouts on the CPU at hand.
 *
 * @param owner destroys what is made
 * @param choice which of its kernels for convolutions and their gradients by the input to take
 */
public record Recipes(OneDnn onednn, Handles owner, Choice choice) {
  private static final int FORWARD_TRAINING = 64;
  private static final int DIRECT = 1;

  /** Which of the library's kernels for a computation to take. */
  public enum Choice {
    FIRST,
    /** The next older one for the same instructions; the first where there is none. */
    OLDER
  }

  /** Those by the library's first choice. */
  public Recipes(OneDnn onednn, Handles owner) {
    this(onednn, owner, Choice.FIRST);
  }

  /** The same by other kernels. */
  public Recipes by(Choice other) {
    return new Recipes(onednn, owner, other);
  }

  /** y = x * weight + bias. */
  public Recipe convolution(
      Conv2dGeometry geometry, Descriptor x, Descriptor weight, Descriptor bias, Descriptor y) {
    try (Arena arena = Arena.ofConfined()) {
      Walk walk = Walk.of(arena, geometry);
      return recipe(
          "dnnl_convolution_forward_primitive_desc_create",
          "PIIPPPPPPPPP",
          onednn.engine(),
          FORWARD_TRAINING,
          DIRECT,
          x.handle(),
          weight.handle(),
          bias.handle(),
          y.handle(),
          walk.strides,
          walk.dilations,
          walk.before,
          walk.after,
          onednn.attributes());
    }
  }

  private Recipe recipe(String function, String signature, Object... arguments) {
    Recipe first = onednn.recipe(owner, function, signature, arguments);
    return switch (choice) {
      case FIRST -> first;
      case OLDER -> onednn.older(owner, first, function, signature, arguments);
    };
  }

  /** The gradient of a convolution by its input; {@code forward} is a recipe of the convolution. */
  public Recipe inputGradient(
      Conv2dGeometry geometry, Descriptor dx, Descriptor weight, Descriptor d, Recipe forward) {
    try (Arena arena = Arena.ofConfined()) {
      Walk walk = Walk.of(arena, geometry);
      return recipe(
          "dnnl_convolution_backward_data_primitive_desc_create",
          "PIPPPPPPPPP",
          onednn.engine(),
          DIRECT,
          dx.handle(),
          weight.handle(),
          d.handle(),
          walk.strides,
          walk.dilations,
          walk.before,
          walk.after,
          forward.handle(),
          onednn.attributes());
    }
  }

  /** The gradients of a convolution by its weight and, where {@code dbias} is present, its bias. */
  public Recipe weightGradient(
      Conv2dGeometry geometry,
      Descriptor x,
      Descriptor dweight,
      Descriptor dbias,
      Descriptor d,
      Recipe forward) {
    try (Arena arena = Arena.ofConfined()) {
      Walk walk = Walk.of(arena, geometry);
      return onednn.recipe(
          owner,
          "dnnl_convolution_backward_weights_primitive_desc_create",
          "PIPPPPPPPPPP",
          onednn.engine(),
          DIRECT,
          x.handle(),
          dweight.handle(),
          dbias.handle(),
          d.handle(),
          walk.strides,
          walk.dilations,
          walk.before,
          walk.after,
          forward.handle(),
          onednn.attributes());
    }
  }

  /** c = a · b + bias, the bias a row that is added to each row. */
  public Recipe product(Descriptor a, Descriptor b, Descriptor bias, Descriptor c) {
    return product(a, b, bias, c, onednn.attributes());
  }

  /** c = c + a · b + bias. */
  public Recipe productAdded(Descriptor a, Descriptor b, Descriptor bias, Descriptor c) {
    return product(a, b, bias, c, onednn.adding());
  }

  private Recipe product(
      Descriptor a, Descriptor b, Descriptor bias, Descriptor c, long attributes) {
    return onednn.recipe(
        owner,
        "dnnl_matmul_primitive_desc_create",
        "PPPPPP",
        onednn.engine(),
        a.handle(),
        b.handle(),
        bias.handle(),
        c.handle(),
        attributes);
  }

  /** The same elements in another layout or dtype. */
  public Recipe reorder(Descriptor from, Descriptor to) {
    return onednn.recipe(
        owner,
        "dnnl_reorder_primitive_desc_create",
        "PPPPP",
        from.handle(),
        onednn.engine(),
        to.handle(),
        onednn.engine(),
        onednn.attributes());
  }

  /** The numbers of a geometry as the library wants them. */
  private record Walk(long strides, long dilations, long before, long after) {
    static Walk of(Arena arena, Conv2dGeometry geometry) {
      Padding2d padding = geometry.padding();
      return new Walk(
          OneDnn.numbers(arena, geometry.strideHeight(), geometry.strideWidth()),
          OneDnn.numbers(arena, geometry.dilationHeight() - 1L, geometry.dilationWidth() - 1L),
          OneDnn.numbers(arena, padding.top(), padding.left()),
          OneDnn.numbers(arena, padding.bottom(), padding.right()));
    }
  }
}
