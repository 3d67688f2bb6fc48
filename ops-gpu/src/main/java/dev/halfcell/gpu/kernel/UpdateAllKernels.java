package dev.halfcell.gpu.kernel;

import dev.halfcell.gpu.driver.GpuKernel.Argument;
import dev.halfcell.gpu.driver.GpuKernel.Size;
import dev.halfcell.op.CellPath;
import dev.halfcell.op.update.Clip;
import dev.halfcell.op.update.ClipByNorm;
import dev.halfcell.op.update.ClipByValue;
import dev.halfcell.op.update.UpdateRule;
import dev.halfcell.plan.UpdateAll;
import dev.halfcell.tensor.TensorSpec;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.function.ToLongFunction;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * The end of a step over all parameters in a few launches, in place: the check of all gradients,
 * and then each rule for as many of its parameters as the arguments of a launch have room for. The
 * bits are those of a kernel for each of unscale, clip and rule: {@code check.cu}, {@code
 * ending.cuh}, {@code update.cu}.
 */
final class UpdateAllKernels {
  /** The parameters of one launch: what is known of each goes with it. */
  private static final int TARGETS = 32;

  private static final int ELEMENTS_OF_A_THREAD = 4;
  private static final int MOST_BLOCKS = 4096;

  private final KernelLibrary kernels;
  private final UpdateAll work;
  private final Recipe.Place place;

  private UpdateAllKernels(KernelLibrary kernels, UpdateAll work, Recipe.Place place) {
    this.kernels = kernels;
    this.work = work;
    this.place = place;
  }

  /** Whether there are kernels for all of its rules. */
  static boolean compute(UpdateAll work) {
    return work.targets().stream().allMatch(target -> RuleKernels.elementwise(target.rule()));
  }

  static Recipe of(KernelLibrary kernels, UpdateAll work, List<TensorSpec> in, CellPath at) {
    UpdateKernels.requireFp32(work.label(), in, at);
    List<TensorSpec> gradients = targets(work).map(t -> in.get(work.first(t))).toList();
    return Recipe.of(
        List.of(PrecisionKernels.checkBytes(gradients)),
        place -> new UpdateAllKernels(kernels, work, place).launches());
  }

  private static Stream<Integer> targets(UpdateAll work) {
    return IntStream.range(0, work.targets().size()).boxed();
  }

  private List<Launch> launches() {
    List<DeviceTensor> gradients = targets(work).map(this::gradient).toList();
    List<Launch> launches =
        PrecisionKernels.check(kernels, place, gradients, place.in(1).argument());
    List<UpdateRule> rules = work.targets().stream().map(UpdateAll.Target::rule).toList();
    for (UpdateRule rule : rules.stream().distinct().toList()) {
      List<Integer> moved = targets(work).filter(t -> rules.get(t).equals(rule)).toList();
      for (int first = 0; first < moved.size(); first += TARGETS) {
        int behind = Math.min(moved.size(), first + TARGETS);
        launches.add(move(rule, moved.subList(first, behind)));
      }
    }
    return launches;
  }

  private Launch move(UpdateRule rule, List<Integer> targets) {
    RuleKernels.Body body = RuleKernels.body(rule);
    long most = targets.stream().mapToLong(t -> gradient(t).spec().size()).max().orElse(0);
    return new KernelLaunch(
        kernels.kernel(RuleKernels.FILE, body.kernel() + "_all"),
        new Size(blocks(most), targets.size(), 1),
        Size.of(KernelLaunch.THREADS),
        List.of(rows(rule, body, targets), ending(), body.numbers()));
  }

  /** Enough to keep a device busy with one large parameter; nothing is summed over them. */
  private static int blocks(long elements) {
    long each = (long) KernelLaunch.THREADS * ELEMENTS_OF_A_THREAD;
    return Math.toIntExact(Math.clamp(Math.ceilDiv(elements, each), 1, MOST_BLOCKS));
  }

  private DeviceTensor gradient(int target) {
    return place.in(work.first(target));
  }

  /** {@code Targets} of {@code ending.cuh}: an array for each of its fields. */
  private Argument rows(UpdateRule rule, RuleKernels.Body body, List<Integer> targets) {
    int behind = 2 + rule.slots().size();
    List<Long> words = new ArrayList<>();
    addRow(words, targets, t -> gradient(t).memory().address());
    for (int i = 0; i < TARGETS; i++) {
      words.addAll(
          i < targets.size()
              ? body.addresses(rule, state(targets.get(i)))
              : Collections.nCopies(1 + RuleKernels.SLOTS, 0L));
    }
    addRow(words, targets, t -> place.in(work.first(t) + behind).memory().address());
    addRow(
        words,
        targets,
        t -> rule.counted() ? place.in(work.first(t) + behind + 1).memory().address() : 0);
    addRow(words, targets, t -> gradient(t).spec().size());
    return new Argument.Words(words);
  }

  private static void addRow(
      List<Long> words, List<Integer> targets, ToLongFunction<Integer> value) {
    for (int i = 0; i < TARGETS; i++) {
      words.add(i < targets.size() ? value.applyAsLong(targets.get(i)) : 0);
    }
  }

  /** The parameter and its slots. */
  private List<DeviceTensor> state(int target) {
    int first = work.first(target) + 1;
    return place.in().subList(first, first + 1 + work.targets().get(target).slots());
  }

  /** {@code Ending} of {@code ending.cuh}. */
  private Argument ending() {
    return new Argument.Words(
        List.of(
            place.in(1).memory().address(),
            place.out(0).memory().address(),
            place.out(1).memory().address(),
            place.problem().memory().address(),
            Double.doubleToRawLongBits(work.clip().map(UpdateAllKernels::largest).orElse(0.0)),
            Double.doubleToRawLongBits(ClipByNorm.EPSILON),
            work.clip().map(UpdateAllKernels::kind).orElse(0L)));
  }

  private static double largest(Clip clip) {
    return switch (clip) {
      case ClipByNorm(double largest) -> largest;
      case ClipByValue(double largest) -> largest;
    };
  }

  private static long kind(Clip clip) {
    return switch (clip) {
      case ClipByNorm _ -> 1;
      case ClipByValue _ -> 2;
    };
  }
}
