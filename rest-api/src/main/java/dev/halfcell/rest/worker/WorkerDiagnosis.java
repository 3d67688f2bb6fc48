package dev.halfcell.rest.worker;

import dev.halfcell.amp.diagnosis.Exponents;
import dev.halfcell.amp.diagnosis.UnderflowReport;
import dev.halfcell.op.CellPath;
import dev.halfcell.rest.worker.FromWorker.Diagnosed;
import dev.halfcell.rest.worker.ToWorker.Diagnose;
import dev.halfcell.train.diagnosis.Census;
import dev.halfcell.train.diagnosis.Offender;
import dev.halfcell.zoo.run.Replay;
import dev.halfcell.zoo.run.RunFolder;
import dev.halfcell.zoo.run.RunPlace;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.SortedMap;
import java.util.stream.LongStream;

/** A step of a run that is run again, as {@code halfcell diagnose} does it. */
final class WorkerDiagnosis {
  private WorkerDiagnosis() {}

  /** What became of the step, or why it cannot be run. */
  static FromWorker of(Diagnose asked) {
    RunFolder folder = new RunFolder(Path.of(asked.run()));
    Optional<String> data = Optional.empty();
    try {
      RunPlace place = folder.place();
      data = place.choice();
      Replay replay = Replay.of(folder);
      if (replay.step().isEmpty()) { // its data was read
        place.notice().ifPresent(JobLog::info);
      }
      return new Diagnosed(told(folder, replay));
    } catch (RuntimeException | Error thrown) {
      JobLog.error("the step cannot be run again", thrown);
      return new Failures(folder.path(), data).of(thrown, false, 0);
    }
  }

  private static StepDiagnosis told(RunFolder folder, Replay replay) {
    UnderflowReport underflow = replay.underflow();
    return new StepDiagnosis(
        folder.path().relativize(replay.values()).toString(),
        replay.step().isPresent() ? Optional.of(replay.step().getAsLong()) : Optional.empty(),
        replay.scale(),
        replay.offender().map(WorkerDiagnosis::told),
        replay.demoted().stream().map(CellPath::text).toList(),
        underflow.half().label(),
        underflow.bestScale().isPresent()
            ? Optional.of(underflow.bestScale().getAsDouble())
            : Optional.empty(),
        underflow.rows().stream().map(row -> told(row, underflow)).toList());
  }

  private static StepDiagnosis.NotFinite told(Offender offender) {
    Census values = offender.values();
    return new StepDiagnosis.NotFinite(
        offender.path().text(),
        offender.op(),
        offender.direction().label(),
        offender.spec().dtype().label(),
        values.kind().name().toLowerCase(Locale.ROOT),
        share(values.zeros(), values),
        share(values.subnormals(), values));
  }

  private static double share(long some, Census of) {
    return (double) some / Math.max(1, of.elements());
  }

  private static StepDiagnosis.Gradients told(UnderflowReport.Row row, UnderflowReport of) {
    Exponents exponents = row.exponents();
    SortedMap<Integer, Long> counts = exponents.counts();
    int least = counts.isEmpty() ? 0 : counts.firstKey();
    return new StepDiagnosis.Gradients(
        row.path().text(),
        row.parameter(),
        row.inHalf(),
        exponents.elements(),
        exponents.zeros(),
        exponents.nonFinite(),
        exponents.flushed(of.half(), of.scale()),
        exponents.subnormal(of.half(), of.scale()),
        least,
        counts.isEmpty() ? List.of() : consecutive(counts, least));
  }

  private static List<Long> consecutive(SortedMap<Integer, Long> counts, int least) {
    return LongStream.rangeClosed(least, counts.lastKey())
        .mapToObj(exponent -> counts.getOrDefault((int) exponent, 0L))
        .toList();
  }
}
