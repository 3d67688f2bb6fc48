package dev.halfcell.gpu.kernel;

import dev.halfcell.gpu.driver.DeviceMemory;
import dev.halfcell.gpu.driver.GpuKernel.Argument;
import dev.halfcell.gpu.library.Multiplication;
import dev.halfcell.op.CellPath;
import dev.halfcell.op.recurrent.Layer;
import dev.halfcell.op.recurrent.LayerGradient;
import dev.halfcell.op.recurrent.Lstm;
import dev.halfcell.op.recurrent.Recurrent;
import dev.halfcell.tensor.TensorSpec;
import java.util.ArrayList;
import java.util.List;

/** The forward pass of recurrent layers, a launch for each step: {@code recurrent.cu}. */
final class RecurrentKernels {
  private static final String FILE = "recurrent";

  private final KernelLibrary kernels;
  private final RecurrentSizes sizes;
  private final boolean cells;

  private RecurrentKernels(KernelLibrary kernels, RecurrentSizes sizes) {
    this.kernels = kernels;
    this.sizes = sizes;
    this.cells = sizes.of() instanceof Lstm;
  }

  static Recipe of(KernelLibrary kernels, Recurrent op, List<TensorSpec> in, CellPath at) {
    return switch (op) {
      case Layer layer -> {
        RecurrentSizes sizes = RecurrentSizes.of(op, layer, in, at);
        RecurrentKernels of = new RecurrentKernels(kernels, sizes);
        yield Recipe.of(of.workspaces(), of::launches);
      }
      case LayerGradient gradient -> RecurrentGradientKernels.of(kernels, gradient, in, at);
    };
  }

  /** The products of all steps of x; those of an LSTM lie where its gates will. */
  private List<Long> workspaces() {
    return cells ? List.of() : List.of(Float.BYTES * sizes.rows() * sizes.gateRows());
  }

  private List<Launch> launches(Recipe.Place place) {
    RecurrentInputs in = new RecurrentInputs(sizes.of().pass(), place.in());
    DeviceTensor gates = place.out(1 + sizes.of().states());
    DeviceMemory ahead = cells ? gates.memory() : place.workspaces().getFirst();
    List<Launch> launches = new ArrayList<>();
    launches.add(
        sizes.product(
            kernels,
            new RecurrentSizes.Factor(in.x(), false),
            new RecurrentSizes.Factor(in.weightX(), true),
            new Argument.Address(ahead),
            true,
            new Multiplication.Size(
                Math.toIntExact(sizes.rows()), Math.toIntExact(sizes.gateRows()), sizes.inputs())));
    for (int number = 0; number < sizes.time(); number++) {
      launches.add(step(place, in, ahead, number));
    }
    launches.add(ends(place, in));
    in.lengths().ifPresent(each -> launches.add(place.problem().completed(kernels, each)));
    return launches;
  }

  private Launch step(Recipe.Place place, RecurrentInputs in, DeviceMemory ahead, int number) {
    return sizes.tiled(
        kernels,
        FILE,
        sizes.own("step"),
        List.of(
            sizes.walk(),
            in.lengthsOrNone(),
            new Argument.Int64(number),
            in.weightH(),
            in.biasX(),
            in.biasH(),
            in.initial(0, sizes.of().states()),
            in.initial(1, sizes.of().states()),
            new Argument.Address(ahead),
            place.out(0).argument(),
            place.out(1 + sizes.of().states()).argument(),
            place.out(2 + sizes.of().states()).argument()));
  }

  private Launch ends(Recipe.Place place, RecurrentInputs in) {
    return KernelLaunch.each(
        kernels.kernel(FILE, "recurrent_ends", sizes.dtype()),
        place.out(0).spec().size(),
        sizes.walk(),
        in.lengthsOrNone(),
        in.initial(0, sizes.of().states()),
        in.initial(1, sizes.of().states()),
        place.out(0).argument(),
        place.out(1 + sizes.of().states()).argument(),
        place.out(2 + sizes.of().states()).argument(),
        place.out(1).argument(),
        cells ? place.out(2).argument() : new Argument.Address(DeviceMemory.NONE),
        place.problem().argument(),
        place.problem().base());
  }
}
