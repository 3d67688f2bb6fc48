package dev.halfcell.zoo.log;

import dev.halfcell.disk.Disk;
import dev.halfcell.tensor.DataException;
import dev.halfcell.train.TrainEvent;
import java.io.IOException;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * Writes what TensorBoard draws into a file {@code events.out.tfevents.<number>.halfcell} of a
 * folder: for each step {@code train/loss}, {@code train/loss_scale}, {@code train/learning_rate},
 * {@code train/gradient_norm}, {@code train/overflow} and {@code train/skipped} (0 or 1), {@code
 * train/samples_per_second} and {@code train/data_wait_ms}; and for each epoch {@code
 * epoch/mean_loss} and {@code epoch/skipped_steps}, and what is measured, such as {@code
 * epoch/test_accuracy}. Numbers that are not finite are written as they are.
 *
 * <p>A run that is gone on with gets a file with the next number. TensorBoard reads the files of a
 * folder in the order of their names; each begins with the start of a session, at which TensorBoard
 * forgets what it has of later steps, so that steps that were taken twice are drawn once.
 *
 * <p>Records are handed to the system at the end of each epoch at the latest. One thread.
 */
public final class TensorBoardLog implements StepLog {
  private static final String SUBJECT = "TensorBoardLog";

  private final LogFile to;
  private final InstantSource clock;
  private long step;

  /**
   * A new file in a folder that is there, of a run that begins.
   *
   * @throws dev.halfcell.tensor.DataException where it cannot be written
   */
  public TensorBoardLog(Path folder) {
    this(folder, 0);
  }

  /**
   * The same of a run that goes on.
   *
   * @param after the last step that it does not take again
   */
  public TensorBoardLog(Path folder, long after) {
    this(Disk.local(), folder, after);
  }

  /** The same on another disk. */
  public TensorBoardLog(Disk disk, Path folder, long after) {
    this(disk, folder, after, InstantSource.system());
  }

  TensorBoardLog(Disk disk, Path folder, long after, InstantSource clock) {
    this.clock = clock;
    this.step = after;
    this.to = LogFile.create(SUBJECT, disk, unused(disk, folder));
    add(BoardEvent.first(seconds()));
    add(BoardEvent.sessionStart(seconds(), after + 1));
  }

  private static Path unused(Disk disk, Path folder) {
    try {
      Set<String> names =
          disk.list(folder).stream()
              .map(file -> String.valueOf(file.getFileName()))
              .collect(Collectors.toSet());
      return IntStream.iterate(1, number -> number + 1)
          .mapToObj(
              number -> String.format(Locale.ROOT, "events.out.tfevents.%04d.halfcell", number))
          .filter(name -> !names.contains(name))
          .map(folder::resolve)
          .findFirst()
          .orElseThrow();
    } catch (IOException e) {
      throw DataException.unwritable(SUBJECT, folder, e);
    }
  }

  @Override
  public void on(TrainEvent event) {
    switch (event) {
      case TrainEvent.EpochStarted _, TrainEvent.OffenderFound _, TrainEvent.BackendNoticed _ -> {}
      case TrainEvent.StepTaken taken -> {
        step = taken.step();
        scalars(numbers(taken));
      }
      case TrainEvent.EpochEnded ended -> {
        Map<String, Double> numbers = new LinkedHashMap<>();
        numbers.put("epoch/mean_loss", ended.meanLoss());
        numbers.put("epoch/skipped_steps", (double) ended.refused());
        scalars(numbers);
        to.flush();
      }
      case TrainEvent.EpochMeasured measured -> {
        Map<String, Double> numbers = new LinkedHashMap<>();
        measured.values().forEach((name, value) -> numbers.put("epoch/" + name, value));
        scalars(numbers);
        to.flush();
      }
    }
  }

  private static Map<String, Double> numbers(TrainEvent.StepTaken taken) {
    Map<String, Double> numbers = new LinkedHashMap<>();
    numbers.put("train/loss", taken.result().loss());
    numbers.put("train/loss_scale", taken.result().usedScale());
    numbers.put("train/learning_rate", taken.learningRate());
    numbers.put("train/gradient_norm", taken.result().gradientNorm());
    numbers.put("train/overflow", taken.result().overflow() ? 1.0 : 0.0);
    numbers.put("train/skipped", taken.result().applied() ? 0.0 : 1.0);
    numbers.put("train/samples_per_second", taken.samples() / (taken.milliseconds() / 1e3));
    numbers.put("train/data_wait_ms", taken.dataWaitMilliseconds());
    return numbers;
  }

  private void scalars(Map<String, Double> numbers) {
    add(BoardEvent.scalars(seconds(), step, numbers));
  }

  private void add(byte[] event) {
    to.add(RecordFrame.framed(event));
  }

  private double seconds() {
    return clock.millis() / 1e3;
  }

  @Override
  public long force() {
    return to.force();
  }

  @Override
  public void close() {
    to.close();
  }
}
