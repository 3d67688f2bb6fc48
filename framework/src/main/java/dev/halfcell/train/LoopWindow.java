package dev.halfcell.train;

import dev.halfcell.backend.Variable;
import dev.halfcell.op.CellPath;
import dev.halfcell.op.precision.LossScale;
import dev.halfcell.tensor.Problem;
import dev.halfcell.tensor.UsageException;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/**
 * One loop beside the others on its state. While the window of one is open, no other may move the
 * loss scale by which its gradients are multiplied, for its mean divides by one scale, nor the
 * running statistics that it moves on the side, for it would put its own over theirs. One thread at
 * a time.
 */
final class LoopWindow {
  private final StepDescription loop;
  private final Set<Variable> statistics;
  private boolean added;

  LoopWindow(StepDescription loop) {
    this.loop = loop;
    this.statistics =
        Trainable.specs(loop.step().net(), parameter -> !parameter.trainable()).keySet();
  }

  /** The loop takes steps from now on. */
  void enter() {
    all().add(this);
  }

  /** It takes none any more: what is left in its window is nobody's. */
  void leave() {
    all().remove(this);
  }

  /** It has added a micro-batch: where that is the first one, nobody else has yet. */
  void added() {
    if (taken() == 1) {
      sameName().forEach(each -> each.added = false);
    }
    added = true;
  }

  private List<LoopWindow> all() {
    return loop.own().all().windows();
  }

  /**
   * Refuses a step or a micro-batch of this loop that would spoil the open window of another.
   *
   * @param kept whether it is taken by the loss scale that the state keeps, and moves that
   */
  void requireApart(boolean kept) {
    for (LoopWindow other : all()) {
      if (other != this && other.open()) {
        Optional<String> shared = sharedWith(other, kept);
        if (shared.isPresent()) {
          throw refusal(other, shared.get());
        }
      }
    }
  }

  /** Of loops of one name, which count together, it is open for those that have added to it. */
  private boolean open() {
    return loop.windowed() && taken() > 0 && (added || sameName().noneMatch(each -> each.added));
  }

  private Stream<LoopWindow> sameName() {
    return all().stream().filter(each -> each.name().equals(name()));
  }

  private long taken() {
    return (long) loop.own().read(Variable.taken()).item();
  }

  private Optional<String> sharedWith(LoopWindow other, boolean kept) {
    if (goesOnWith(other)) {
      return Optional.empty();
    }
    if (loop.windowed() && name().equals(other.name())) {
      return Optional.of("its count, " + Variable.taken().of(name()));
    }
    if (kept && sharesScale(other)) {
      return Optional.of("its loss scale, " + Variable.scale().of(scaleName()));
    }
    return statistics.stream()
        .filter(other.statistics::contains)
        .findFirst()
        .map(statistic -> "its running statistics, such as " + statistic);
  }

  /** Whether both add to one window: that of a loop whose place another one takes. */
  private boolean goesOnWith(LoopWindow other) {
    return loop.windowed()
        && name().equals(other.name())
        && scaleName().equals(other.scaleName())
        && moved().equals(other.moved())
        && statistics.equals(other.statistics);
  }

  /** A scale that never moves stands in the state only while its own step or window lasts. */
  private boolean sharesScale(LoopWindow other) {
    LossScale mine = loop.step().scale();
    LossScale theirs = other.loop.step().scale();
    boolean alike = !theirs.moves() && mine.start().equals(theirs.start());
    boolean apart = !mine.moves() && (!loop.windowed() || alike);
    return !apart && scaleName().equals(other.scaleName());
  }

  private Set<Variable> moved() {
    return loop.window().map(window -> window.parameters().keySet()).orElse(Set.of());
  }

  private String name() {
    return loop.step().rules().name();
  }

  private String scaleName() {
    return loop.step().rules().scaleName();
  }

  private String place() {
    return (name().isEmpty() ? CellPath.STEP : CellPath.STEP.child(name())).text();
  }

  private String text() {
    int all = loop.step().accumulation().microBatches();
    return "the window of %s with %d of %d micro-batches".formatted(place(), taken(), all);
  }

  private UsageException refusal(LoopWindow other, String shared) {
    return new UsageException(
        new Problem(
            "accumulation",
            place(),
            "no open window of another step that shares " + shared,
            other.text(),
            "Fill that window or call endWindow() on its loop; close a loop that is done."));
  }
}
