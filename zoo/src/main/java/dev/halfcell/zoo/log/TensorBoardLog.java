package dev.halfcell.zoo.log;

import dev.halfcell.tensor.DataException;
import dev.halfcell.train.TrainEvent;
import dev.halfcell.train.TrainListener;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.InstantSource;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.IntStream;

/**
 * Writes what TensorBoard draws into a file {@code events.out.tfevents.<number>.halfcell} of a
 * folder: for each step {@code train/loss}, {@code train/loss_scale}, {@code train/learning_rate},
 * {@code train/gradient_norm} and {@code train/overflow} (0 or 1), and for each epoch {@code
 * epoch/mean_loss}. Numbers that are not finite are written as they are. A run that is gone on with
 * gets a file with the next number, as TensorBoard expects it.
 *
 * <p>Lines reach the disk at the end of each epoch at the latest. One thread.
 */
public final class TensorBoardLog implements TrainListener, AutoCloseable {
  private final Path file;
  private final RecordFile records;
  private final InstantSource clock;
  private long step;

  /**
   * A new file in a folder that is there.
   *
   * @throws DataException where it cannot be written
   */
  public TensorBoardLog(Path folder) {
    this(folder, InstantSource.system());
  }

  TensorBoardLog(Path folder, InstantSource clock) {
    this.clock = clock;
    this.file = unused(folder);
    try {
      OutputStream out =
          Files.newOutputStream(file, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
      this.records = new RecordFile(new BufferedOutputStream(out));
    } catch (IOException e) {
      throw DataException.unwritable("TensorBoardLog", file, e);
    }
    write(() -> records.write(BoardEvent.first(seconds())));
  }

  private static Path unused(Path folder) {
    return IntStream.iterate(1, number -> number + 1)
        .mapToObj(number -> folder.resolve("events.out.tfevents.%04d.halfcell".formatted(number)))
        .filter(Files::notExists)
        .findFirst()
        .orElseThrow();
  }

  @Override
  public void on(TrainEvent event) {
    switch (event) {
      case TrainEvent.EpochStarted _, TrainEvent.OffenderFound _ -> {}
      case TrainEvent.StepTaken taken -> {
        step = taken.step();
        write(() -> records.write(BoardEvent.scalars(seconds(), step, numbers(taken))));
      }
      case TrainEvent.EpochEnded ended -> {
        Map<String, Double> loss = Map.of("epoch/mean_loss", ended.meanLoss());
        write(() -> records.write(BoardEvent.scalars(seconds(), step, loss)));
        write(records::flush);
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
    return numbers;
  }

  private double seconds() {
    return clock.millis() / 1e3;
  }

  /** Something that may fail to be written. */
  @FunctionalInterface
  private interface Writing {
    void run() throws IOException;
  }

  private void write(Writing writing) {
    try {
      writing.run();
    } catch (IOException e) {
      throw DataException.unwritable("TensorBoardLog", file, e);
    }
  }

  /** Writes what is left. */
  @Override
  public void close() {
    write(records::close);
  }
}
