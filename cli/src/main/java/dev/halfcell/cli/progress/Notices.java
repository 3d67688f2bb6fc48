package dev.halfcell.cli.progress;

import dev.halfcell.amp.scale.ScaleHistory;
import dev.halfcell.cli.text.Figures;
import dev.halfcell.op.CellPath;
import dev.halfcell.train.StepResult;
import dev.halfcell.train.TrainEvent;
import dev.halfcell.train.TrainListener;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/**
 * A line for each change of the loss scale, first offender, demotion and measurement, and for what
 * the backend has to do in another way. A step that overflows as compiled and is finite op by op,
 * where more is rounded and in another order, is said to have no first offender: silence would look
 * like a search that was not made. One thread.
 */
public final class Notices implements TrainListener {
  private final Consumer<String> log;
  private final boolean names;
  private final Supplier<List<CellPath>> demoted;
  private final ScaleHistory history;
  private final Set<CellPath> told = new HashSet<>();

  /**
   * Notices to a log.
   *
   * @param names whether first offenders are looked for
   * @param demoted the cells that were demoted until now
   */
  public Notices(Consumer<String> log, boolean names, Supplier<List<CellPath>> demoted) {
    this.log = log;
    this.names = names;
    this.demoted = demoted;
    this.history = new ScaleHistory(1, log);
  }

  @Override
  public void on(TrainEvent event) {
    history.on(event);
    switch (event) {
      case TrainEvent.OffenderFound found -> {
        log.accept("first offender: " + found.offender().text());
        demoted.get().stream()
            .filter(told::add)
            .forEach(cell -> log.accept("demoted to fp32: " + cell));
      }
      case TrainEvent.StepTaken taken -> unnamed(taken.step(), taken.result());
      case TrainEvent.EpochStarted _, TrainEvent.EpochEnded _ -> {}
      case TrainEvent.EpochMeasured measured -> log.accept(measured(measured));
      case TrainEvent.BackendNoticed noticed -> log.accept(noticed.message());
    }
  }

  private static String measured(TrainEvent.EpochMeasured measured) {
    return measured.values().entrySet().stream()
        .map(metric -> metric.getKey() + " " + Figures.fixed(metric.getValue(), 4))
        .collect(Collectors.joining(", ", "epoch " + measured.epoch() + ": ", ""));
  }

  private void unnamed(long step, StepResult result) {
    if (names && result.overflow() && result.firstOffender().isEmpty()) {
      log.accept("step %d: overflow as compiled, all is finite op by op".formatted(step));
    }
  }
}
