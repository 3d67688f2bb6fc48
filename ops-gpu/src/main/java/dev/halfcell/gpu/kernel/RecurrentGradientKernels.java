package dev.halfcell.gpu.kernel;

import dev.halfcell.gpu.driver.DeviceMemory;
import dev.halfcell.gpu.driver.GpuKernel.Argument;
import dev.halfcell.gpu.driver.GpuKernel.Size;
import dev.halfcell.gpu.library.Multiplication;
import dev.halfcell.op.CellPath;
import dev.halfcell.op.recurrent.LayerGradient;
import dev.halfcell.op.recurrent.Lstm;
import dev.halfcell.tensor.TensorSpec;
import java.util.ArrayList;
import java.util.List;

/**
 * Back-propagation through time, two launches for each step, and the products and sums of all steps
 * behind them: {@code recurrent_gradient.cu}.
 */
final class RecurrentGradientKernels {
  private static final String FILE = "recurrent_gradient";
  private static final int SUMMED_COLUMNS = 32;
  private static final int SUMMED_ROWS = 8;

  private final KernelLibrary kernels;
  private final LayerGradient op;
  private final RecurrentSizes sizes;
  private final boolean cells;

  private RecurrentGradientKernels(KernelLibrary kernels, LayerGradient op, RecurrentSizes sizes) {
    this.kernels = kernels;
    this.op = op;
    this.sizes = sizes;
    this.cells = sizes.of() instanceof Lstm;
  }

  static Recipe of(KernelLibrary kernels, LayerGradient op, List<TensorSpec> in, CellPath at) {
    List<TensorSpec> ofLayer = in.subList(3 + op.of().states(), in.size());
    RecurrentSizes sizes = RecurrentSizes.of(op, op.of(), ofLayer, at);
    RecurrentGradientKernels of = new RecurrentGradientKernels(kernels, op, sizes);
    return Recipe.of(of.workspaces(), place -> of.new Bound(place).launches());
  }

  /** da, dq, h before each step, dh, dc and the steps of x that samples have. */
  private List<Long> workspaces() {
    long element = sizes.dtype().bytes();
    long gates = element * sizes.rows() * sizes.gateRows();
    return List.of(
        gates,
        cells ? 0 : gates,
        element * sizes.rows() * sizes.hidden(),
        Float.BYTES * sizes.state(),
        cells ? Float.BYTES * sizes.state() : 0,
        op.pass().lengths() ? element * sizes.rows() * sizes.inputs() : 0);
  }

  /** In memory. */
  private final class Bound {
    private final Recipe.Place place;
    private final RecurrentInputs in;
    private final Argument.Address da;
    private final Argument.Address dq;
    private final Argument.Address before;
    private final Argument.Address dh;
    private final Argument.Address dc;
    private final List<Launch> launches = new ArrayList<>();

    Bound(Recipe.Place place) {
      this.place = place;
      int first = 3 + sizes.of().states();
      in = new RecurrentInputs(op.pass(), place.in().subList(first, place.in().size()));
      da = workspace(0);
      dq = cells ? da : workspace(1);
      before = workspace(2);
      dh = workspace(3);
      dc = workspace(4);
    }

    private Argument.Address workspace(int number) {
      return new Argument.Address(place.workspaces().get(number));
    }

    List<Launch> launches() {
      Argument.Address x = in.x();
      if (op.pass().lengths()) {
        x = workspace(5);
        launches.add(keptSteps(in.x(), x, false));
        in.lengths().ifPresent(each -> launches.add(place.problem().completed(kernels, each)));
      }
      for (int number = sizes.time() - 1; number >= 0; number--) {
        launches.add(gates(number));
        launches.add(toState(number));
      }
      toInput();
      toWeights(x);
      toBiases();
      toInitialStates();
      return launches;
    }

    /** Steps behind a sample's end, which meet nothing. */
    private Launch keptSteps(Argument.Address from, Argument to, boolean wide) {
      return KernelLaunch.each(
          kernels.kernel(FILE, "kept_steps", wide ? sizes.dtype().wide() : sizes.dtype()),
          sizes.rows() * sizes.inputs(),
          sizes.walk(),
          in.lengthsOrNone(),
          from,
          to,
          new Argument.Int64(sizes.inputs()),
          place.problem().argument(),
          place.problem().base());
    }

    private Launch gates(int number) {
      int states = sizes.of().states();
      return KernelLaunch.each(
          kernels.kernel(FILE, sizes.own("gates"), sizes.dtype()),
          sizes.state(),
          sizes.walk(),
          in.lengthsOrNone(),
          new Argument.Int64(number),
          place.in(0).argument(),
          place.in(1).argument(),
          cells ? place.in(2).argument() : new Argument.Address(DeviceMemory.NONE),
          place.in(1 + states).argument(),
          place.in(2 + states).argument(),
          in.initial(0, states),
          in.initial(1, states),
          da,
          dq,
          before,
          dh,
          dc);
    }

    private Launch toState(int number) {
      return sizes.tiled(
          kernels,
          FILE,
          "to_state",
          List.of(
              sizes.walk(),
              in.lengthsOrNone(),
              new Argument.Int64(number),
              in.weightH(),
              dq,
              new Argument.Int64(sizes.gateRows()),
              dh));
    }

    private void toInput() {
      Argument.Address dx = place.out(0).argument();
      launches.add(
          sizes.product(
              kernels,
              new RecurrentSizes.Factor(da, false),
              new RecurrentSizes.Factor(in.weightX(), false),
              dx,
              op.wide().get(0),
              new Multiplication.Size(
                  Math.toIntExact(sizes.rows()),
                  sizes.inputs(),
                  Math.toIntExact(sizes.gateRows()))));
      if (op.pass().lengths()) {
        launches.add(keptSteps(dx, dx, op.wide().get(0)));
      }
    }

    private void toWeights(Argument.Address x) {
      launches.add(toWeight(da, x, 1, sizes.inputs()));
      launches.add(toWeight(dq, before, 2, sizes.hidden()));
    }

    private Launch toWeight(Argument.Address d, Argument.Address by, int output, int columns) {
      return sizes.product(
          kernels,
          new RecurrentSizes.Factor(d, true),
          new RecurrentSizes.Factor(by, false),
          place.out(output).argument(),
          op.wide().get(output),
          new Multiplication.Size(
              Math.toIntExact(sizes.gateRows()), columns, Math.toIntExact(sizes.rows())));
    }

    private void toBiases() {
      launches.add(toBias(da, 3));
      launches.add(toBias(dq, 4));
    }

    private Launch toBias(Argument.Address d, int output) {
      return new KernelLaunch(
          kernels.kernel(FILE, sizes.named("step_sums", op.wide().get(output)), sizes.dtype()),
          Size.of(Math.ceilDiv(sizes.gateRows(), SUMMED_COLUMNS)),
          new Size(SUMMED_COLUMNS, SUMMED_ROWS, 1),
          List.of(
              d,
              place.out(output).argument(),
              new Argument.Int64(sizes.rows()),
              new Argument.Int64(sizes.gateRows())));
    }

    private void toInitialStates() {
      List<Argument> gradients = List.of(dh, dc);
      for (int state = 0; op.pass().stateful() && state < sizes.of().states(); state++) {
        int output = 5 + state;
        launches.add(
            KernelLaunch.each(
                kernels.kernel(
                    FILE, sizes.named("to_initial", op.wide().get(output)), sizes.dtype()),
                sizes.state(),
                sizes.walk(),
                in.lengthsOrNone(),
                place.in(1 + state).argument(),
                gradients.get(state),
                place.out(output).argument()));
      }
    }
  }
}
