package dev.halfcell.gpu.kernel;

import dev.halfcell.gpu.driver.GpuKernel.Argument;
import dev.halfcell.gpu.driver.GpuKernel.Size;
import dev.halfcell.op.update.LambRule;
import dev.halfcell.op.update.LarsRule;
import java.util.List;
import java.util.stream.Stream;

/** Rules that look at the norms of a whole parameter: {@code trust.cu}. */
final class TrustKernels {
  private static final String FILE = "trust";

  /** The two norms. */
  private static final long NORMS = 2L * Double.BYTES;

  private TrustKernels() {}

  static Recipe lamb(KernelLibrary kernels, LambRule rule, long n) {
    List<Argument> numbers =
        List.of(
            new Numbers().addMoment(rule.beta1()).argument(),
            new Numbers().addMoment(rule.beta2()).argument(),
            new Argument.Float32((float) rule.epsilon()),
            new Argument.Float32((float) rule.weightDecay()),
            new Argument.Int64(n));
    return Recipe.of(
        workspaces(n),
        place ->
            List.of(
                shares(kernels, "lamb_moments", n, lambMoments(place, numbers)),
                norms(kernels, n, place),
                KernelLaunch.each(kernels.kernel(FILE, "lamb"), n, lambMove(place, numbers))));
  }

  private static List<Argument> lambMoments(Recipe.Place place, List<Argument> numbers) {
    List<Argument> tensors =
        List.of(
            place.in(0).argument(),
            place.in(1).argument(),
            place.in(2).argument(),
            place.in(3).argument(),
            place.in(5).argument(),
            place.out(1).argument(),
            place.out(2).argument(),
            place.workspace(0));
    return Stream.concat(tensors.stream(), numbers.stream()).toList();
  }

  private static List<Argument> lambMove(Recipe.Place place, List<Argument> numbers) {
    List<Argument> tensors =
        List.of(
            place.in(0).argument(),
            place.out(1).argument(),
            place.out(2).argument(),
            place.in(4).argument(),
            place.in(5).argument(),
            place.workspace(1),
            place.out(0).argument());
    return Stream.concat(tensors.stream(), numbers.stream()).toList();
  }

  static Recipe lars(KernelLibrary kernels, LarsRule rule, long n) {
    return Recipe.of(
        workspaces(n),
        place ->
            List.of(
                shares(
                    kernels,
                    "lars_norms",
                    n,
                    List.of(
                        place.in(0).argument(),
                        place.in(2).argument(),
                        place.workspace(0),
                        new Argument.Int64(n))),
                norms(kernels, n, place),
                KernelLaunch.each(
                    kernels.kernel(FILE, "lars"),
                    n,
                    place.in(0).argument(),
                    place.in(1).argument(),
                    place.in(2).argument(),
                    place.in(3).argument(),
                    place.workspace(1),
                    place.out(0).argument(),
                    place.out(1).argument(),
                    new Argument.Float64(rule.trust()),
                    new Argument.Float64(rule.weightDecay()),
                    new Argument.Float32((float) rule.momentum()),
                    new Argument.Int64(n))));
  }

  /** The shares of the norms' squares, and the norms. */
  private static List<Long> workspaces(long n) {
    return List.of(NORMS * Shares.of(n), NORMS);
  }

  private static Launch shares(
      KernelLibrary kernels, String name, long n, List<Argument> arguments) {
    return new KernelLaunch(
        kernels.kernel(FILE, name),
        Size.of(Shares.of(n)),
        Size.of(KernelLaunch.THREADS),
        arguments);
  }

  private static Launch norms(KernelLibrary kernels, long n, Recipe.Place place) {
    return KernelLaunch.block(
        kernels.kernel(FILE, "norms_of_shares"),
        place.workspace(0),
        new Argument.Int32(Shares.of(n)),
        place.workspace(1));
  }
}
