package dev.halfcell.gpu.kernel;

import dev.halfcell.gpu.driver.DeviceMemory;
import dev.halfcell.gpu.driver.GpuKernel.Argument;
import dev.halfcell.gpu.driver.GpuKernel.Size;
import dev.halfcell.op.CellPath;
import dev.halfcell.op.loss.CtcLoss;
import dev.halfcell.op.loss.LossReduction;
import dev.halfcell.tensor.TensorSpec;
import java.util.ArrayList;
import java.util.List;

/** Connectionist temporal classification: {@code ctc.cu}. */
final class CtcKernels {
  private static final String FILE = "ctc";
  private static final int THREADS = 128;

  private final KernelLibrary kernels;
  private final CtcLoss op;
  private final int frames;
  private final int samples;
  private final int classes;
  private final int longest;

  private CtcKernels(KernelLibrary kernels, CtcLoss op, List<TensorSpec> in) {
    this.kernels = kernels;
    this.op = op;
    this.frames = in.getFirst().dim(0);
    this.samples = in.getFirst().dim(1);
    this.classes = in.getFirst().dim(2);
    this.longest = in.get(1).dim(1);
  }

  static Recipe of(KernelLibrary kernels, CtcLoss op, List<TensorSpec> in, CellPath at) {
    ElementLossKernels.requireSinglePrecision(op, in, at);
    CtcKernels of = new CtcKernels(kernels, op, in);
    if (in.getFirst().dim(0) * (long) in.getFirst().dim(1) > Integer.MAX_VALUE) {
      throw Kernels.refusal(op.label(), "logits of " + in.getFirst().shape(), at);
    }
    return Recipe.of(of.workspaces(), of::launches);
  }

  /** Shifts of rows, both ways of walking, and what is known of each sample behind them. */
  private List<Long> workspaces() {
    long states = 2L * longest + 1;
    return List.of(
        2L * Float.BYTES * frames * samples,
        states * Double.BYTES * frames * samples,
        2 * states * Double.BYTES * samples,
        (long) Double.BYTES * samples,
        (long) Integer.BYTES * samples,
        (long) Float.BYTES * samples);
  }

  private List<Launch> launches(Recipe.Place place) {
    boolean reduced = op.reduction() != LossReduction.NONE;
    DeviceMemory losses = reduced ? place.workspaces().get(5) : place.out(0).memory();
    Argument each = new Argument.Address(losses);
    List<Launch> launches = new ArrayList<>();
    launches.add(
        launch(
            "ctc_shifts",
            frames * samples,
            place.in(0).argument(),
            workspace(place, 0),
            new Argument.Int32(classes)));
    launches.add(walk(place, each));
    launches.add(slope(place));
    launches.add(problem(place));
    if (reduced) {
      float divisor = op.reduction().divisor(samples);
      launches.add(ElementLossKernels.sum(kernels, each, samples, divisor, place.out(0)));
    }
    return launches;
  }

  private Launch launch(String name, int blocks, Argument... arguments) {
    return new KernelLaunch(
        kernels.kernel(FILE, name), Size.of(blocks), Size.of(THREADS), List.of(arguments));
  }

  private static Argument workspace(Recipe.Place place, int number) {
    return new Argument.Address(place.workspaces().get(number));
  }

  private static Argument bytes(DeviceTensor whole) {
    return new Argument.Int32(whole.spec().dtype().bytes());
  }

  private static Argument flag(boolean value) {
    return new Argument.Int32(value ? 1 : 0);
  }

  private Launch walk(Recipe.Place place, Argument losses) {
    return launch(
        "ctc_walk",
        samples,
        place.in(0).argument(),
        workspace(place, 0),
        place.in(1).argument(),
        bytes(place.in(1)),
        place.in(2).argument(),
        bytes(place.in(2)),
        place.in(3).argument(),
        bytes(place.in(3)),
        new Argument.Int32(frames),
        new Argument.Int32(samples),
        new Argument.Int32(classes),
        new Argument.Int32(longest),
        new Argument.Int32(op.blank()),
        flag(op.reduction() == LossReduction.MEAN),
        flag(op.zeroInfinity()),
        workspace(place, 1),
        workspace(place, 2),
        workspace(place, 3),
        workspace(place, 4),
        losses,
        place.problem().argument(),
        place.problem().base());
  }

  private Launch slope(Recipe.Place place) {
    return launch(
        "ctc_slope",
        frames * samples,
        place.in(0).argument(),
        workspace(place, 0),
        place.in(1).argument(),
        bytes(place.in(1)),
        place.in(3).argument(),
        bytes(place.in(3)),
        new Argument.Int32(frames),
        new Argument.Int32(samples),
        new Argument.Int32(classes),
        new Argument.Int32(longest),
        new Argument.Int32(op.blank()),
        flag(op.reduction() == LossReduction.MEAN),
        workspace(place, 1),
        workspace(place, 3),
        workspace(place, 4),
        place.out(1).argument());
  }

  private Launch problem(Recipe.Place place) {
    return new KernelLaunch(
        kernels.kernel(FILE, "ctc_problem"),
        Size.of(1),
        Size.of(1),
        List.of(
            place.in(1).argument(),
            bytes(place.in(1)),
            place.in(2).argument(),
            bytes(place.in(2)),
            place.in(3).argument(),
            bytes(place.in(3)),
            new Argument.Int32(longest),
            place.problem().argument(),
            place.problem().base()));
  }
}
