package dev.halfcell.gpu.kernel;

import dev.halfcell.gpu.driver.DeviceMemory;
import dev.halfcell.gpu.driver.GpuKernel.Argument;
import dev.halfcell.gpu.library.Product;
import dev.halfcell.gpu.library.ProductLibrary;
import dev.halfcell.op.CellPath;
import dev.halfcell.op.linear.Dense;
import dev.halfcell.op.linear.Linear;
import dev.halfcell.op.linear.MatMul;
import dev.halfcell.tensor.DType;
import dev.halfcell.tensor.TensorSpec;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Products of matrices: by NVIDIA's library, or by {@code matmul.cu} where that does not. */
final class MatrixKernels {
  private final KernelLibrary kernels;
  private final MatrixShapes of;
  private final List<Argument> views;

  private MatrixKernels(KernelLibrary kernels, MatrixShapes of, List<Argument> views) {
    this.kernels = kernels;
    this.of = of;
    this.views = views;
  }

  static Recipe of(Code code, Linear op, List<TensorSpec> in, List<TensorSpec> out, CellPath at) {
    DType dtype = in.getFirst().dtype();
    if (!ElementwiseKernels.COMPUTED.contains(dtype)) {
      throw Kernels.refusal(op.label(), "one in " + dtype.label(), at);
    }
    MatrixShapes shapes =
        switch (op) {
          case MatMul product -> MatrixShapes.of(product, in, out.getFirst());
          case Dense _ -> MatrixShapes.dense(in.get(0), in.get(1));
        };
    boolean counted = Tiles.count(shapes.size().m(), shapes.size().n(), shapes.size().k());
    List<Argument> views =
        shapes
            .views()
            .filter(_ -> counted)
            .orElseThrow(() -> Kernels.refusal(op.label(), in.get(0) + " and " + in.get(1), at));
    MatrixKernels made = new MatrixKernels(code.kernels(), shapes, views);
    boolean biased = in.size() == 3;
    MatrixShapes byLibrary = biased ? shapes.wide() : shapes;
    Optional<Product> product = byLibrary.multiplication().flatMap(code.products()::product);
    if (product.isEmpty()) {
      return made.own();
    }
    return biased ? made.biased(product.get()) : made.plain(product.get());
  }

  private Recipe plain(Product product) {
    long bytes = product.workspaceBytes();
    return new Recipe(
        ProductLibrary.NAME,
        bytes == 0 ? List.of() : List.of(bytes),
        place ->
            List.of(
                byLibrary(
                    product,
                    place,
                    place.out(0).memory(),
                    bytes == 0 ? DeviceMemory.NONE : place.workspaces().getFirst())));
  }

  /** The product in FP32, so that only the sum with the bias is rounded. */
  private Recipe biased(Product product) {
    MatrixKernels wide = new MatrixKernels(kernels, of.wide(), views);
    PartialSums whole = PartialSums.whole(of.size().k());
    long sums = whole.bytes((long) of.size().m() * of.size().n());
    long bytes = product.workspaceBytes();
    return new Recipe(
        ProductLibrary.NAME,
        bytes == 0 ? List.of(sums) : List.of(sums, bytes),
        place -> {
          DeviceMemory y = place.workspaces().getFirst();
          DeviceMemory workspace = bytes == 0 ? DeviceMemory.NONE : place.workspaces().getLast();
          return List.of(
              wide.byLibrary(product, place, y, workspace),
              whole.put(kernels, y, bias(place), place.out(0)));
        });
  }

  private Launch byLibrary(
      Product product, Recipe.Place place, DeviceMemory y, DeviceMemory workspace) {
    return new ProductLaunch(
        product,
        new Product.Place(place.in(0).memory(), place.in(1).memory(), y, workspace),
        own(place, new Argument.Address(DeviceMemory.NONE), y, PartialSums.whole(of.size().k())));
  }

  /** By own kernels, in parts where there are few and long sums. */
  private Recipe own() {
    Tiles tall = Tiles.tall(of.size().m(), of.size().n(), of.matrices());
    PartialSums sums = PartialSums.of(of.size().k(), tall.blocks());
    if (sums.parts() == 1) {
      return Recipe.of(place -> List.of(own(place, bias(place), place.out(0).memory(), sums)));
    }
    MatrixKernels wide = new MatrixKernels(kernels, of.wide(), views);
    long size = of.matrices() * of.size().m() * of.size().n();
    return Recipe.of(
        List.of(sums.bytes(size)),
        place -> {
          DeviceMemory parts = place.workspaces().getFirst();
          Argument none = new Argument.Address(DeviceMemory.NONE);
          return List.of(
              wide.own(place, none, parts, sums),
              sums.put(kernels, parts, bias(place), place.out(0)));
        });
  }

  private static Argument bias(Recipe.Place place) {
    return place.in().size() == 3
        ? place.in(2).argument()
        : new Argument.Address(DeviceMemory.NONE);
  }

  private Launch own(Recipe.Place place, Argument bias, DeviceMemory y, PartialSums sums) {
    int m = of.size().m();
    int n = of.size().n();
    Tiles tiles =
        sums.parts() == 1
            ? Tiles.of(m, n, of.matrices())
            : Tiles.tall(m, n, of.matrices() * sums.parts());
    String name = (of.out() == of.in() ? "matmul_" : "matmul_wide_") + tiles.rows();
    List<Argument> arguments = new ArrayList<>();
    arguments.add(place.in(0).argument());
    arguments.add(place.in(1).argument());
    arguments.add(bias);
    arguments.add(new Argument.Address(y));
    arguments.add(of.product(tiles, sums.chunk()));
    arguments.addAll(views);
    return tiles.launch(kernels.kernel("matmul", name, of.in()), arguments);
  }
}
