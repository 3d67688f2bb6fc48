package dev.halfcell.zoo.run;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.halfcell.data.SafeTensors;
import dev.halfcell.disk.Disk;
import dev.halfcell.disk.WholeFile;
import dev.halfcell.tensor.Tensor;
import dev.halfcell.tensor.TensorScope;
import dev.halfcell.testkit.disk.CrashDisk;
import dev.halfcell.testkit.disk.Damage;
import dev.halfcell.train.TrainEvent;
import dev.halfcell.train.TrainListener;
import dev.halfcell.zoo.job.JobSpecification;
import java.io.IOException;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BiConsumer;
import java.util.function.BooleanSupplier;
import java.util.function.LongFunction;
import java.util.regex.Pattern;

/**
 * Runs of the smallest network on disks in memory, and what has to be true of such a disk whatever
 * happened to it. Two epochs of two steps and one of one, each of which ends in a checkpoint.
 */
record DiskRuns(Path folder, JobSpecification job) {
  /** The step after which {@link #stop} stops: the first of the second epoch. */
  static final int STOPPED = 3;

  private static final int LAST = 5;
  private static final String JOB =
      """
      {"network": [{"cell": "GlobalAvgPool2d"},
                   {"cell": "Dense", "inChannels": 1, "outChannels": 10}],
       "dataset": {"config": {"shape": [1, 28, 28]}},
       "device": "reference", "logs": ["csv", "tensorboard"], "checkpoint": {"best": "train_loss"},
       "resources": {"loaderWorkers": 0},
       "precision": {"level": "O2"}, "training": {"steps": 5, "batchSize": 2}}
      """;
  private static final Pattern CHECKPOINT =
      Pattern.compile("checkpoints/step-0*(\\d+)\\.safetensors");
  private static final List<String> ALWAYS_THE_SAME =
      List.of("specification.json", "run.json", "plan.txt", "model.safetensors");

  /** On four images that are written into a folder. */
  static DiskRuns in(Path folder) throws IOException {
    for (String part : new String[] {"train", "t10k"}) {
      ByteBuffer images = ByteBuffer.allocate(16 + 4 * 784).putInt(0x803).putInt(4);
      images.putInt(28).putInt(28);
      for (int i = 0; images.hasRemaining(); i++) {
        images.put((byte) (i / 784 * 50 + i % 784));
      }
      ByteBuffer labels = ByteBuffer.allocate(8 + 4).putInt(0x801).putInt(4);
      labels.put(new byte[] {0, 1, 2, 3});
      Files.write(folder.resolve(part + "-images-idx3-ubyte"), images.array());
      Files.write(folder.resolve(part + "-labels-idx1-ubyte"), labels.array());
    }
    return new DiskRuns(folder, JobSpecification.ofJson(JOB).resolved());
  }

  private TrainingRun open() {
    return TrainingRun.open(job, Optional.of(folder.toString()));
  }

  private static TrainListener telling(AtomicLong told) {
    return event -> {
      if (event instanceof TrainEvent.StepTaken taken) {
        told.set(taken.step());
      }
    };
  }

  /**
   * Trains from the start to the end.
   *
   * @param told is given the last step that listeners were told of
   */
  void begin(Disk disk, AtomicLong told) {
    assertInstanceOf(Ending.Completed.class, begin(disk, told, () -> false));
  }

  /** Trains until it is stopped. */
  void stop(Disk disk) {
    AtomicLong told = new AtomicLong();
    Ending ending = begin(disk, told, () -> told.get() == STOPPED);
    assertInstanceOf(Ending.Interrupted.class, ending);
  }

  private Ending begin(Disk disk, AtomicLong told, BooleanSupplier stop) {
    try (TrainingRun run = open()) {
      return run.train(new RunFolder(folder, disk), telling(told), stop);
    }
  }

  /** Goes on to the end, with what is said at the beginning. */
  List<String> resume(Disk disk, AtomicLong told) {
    try (TrainingRun run = open()) {
      Resumption from = run.restore(new RunFolder(folder, disk));
      assertInstanceOf(Ending.Completed.class, run.goOn(from, telling(told), () -> false));
      return from.lines();
    }
  }

  /** Whether there is a run: before its specification there is none. */
  boolean begun(CrashDisk disk) {
    return disk.files().containsKey(folder.resolve("specification.json"));
  }

  /** Resumes what has begun, and begins what has not; what is said at the beginning. */
  List<String> finish(CrashDisk disk) {
    if (begun(disk)) {
      return resume(disk, new AtomicLong());
    }
    begin(disk, new AtomicLong());
    return List.of();
  }

  /**
   * What a power loss leaves.
   *
   * @param told the last step that had been told
   * @param when it came
   */
  record Left(CrashDisk disk, long told, String when) {}

  /** What is left of a life at each of its operations, with these damages. */
  List<Left> watched(
      CrashDisk disk, LongFunction<List<Damage>> damages, BiConsumer<Disk, AtomicLong> life) {
    List<Left> left = new ArrayList<>();
    AtomicLong told = new AtomicLong();
    disk.watch(
        operation ->
            damages
                .apply(operation)
                .forEach(
                    damage ->
                        left.add(
                            new Left(
                                disk.afterPowerLoss(damage, operation),
                                told.get(),
                                damage + " at operation " + operation))));
    life.accept(disk, told);
    disk.watch(_ -> {});
    return left;
  }

  /**
   * The step of the newest checkpoint, 0 where there is none. Fails where something that was saved
   * is not there, or not all of it, under its name.
   */
  long checkPromises(CrashDisk disk, CrashDisk whole, long told) {
    Map<String, byte[]> files = named(disk);
    Map<String, byte[]> expected = named(whole);
    for (String name : ALWAYS_THE_SAME) {
      if (files.containsKey(name)) {
        assertArrayEquals(expected.get(name), files.get(name), name);
      }
    }
    long saved = files.containsKey("model.safetensors") ? LAST : (told - 1) / 2 * 2;
    long newest = 0;
    for (String name : files.keySet()) {
      var checkpoint = CHECKPOINT.matcher(name);
      if (checkpoint.matches()) {
        newest = Math.max(newest, Long.parseLong(checkpoint.group(1)));
        checkCheckpoint(disk, name, files);
      }
    }
    assertTrue(newest >= saved, newest + " is the newest checkpoint, " + saved + " was saved");
    assertTrue(newest <= told, newest + " is the newest checkpoint after step " + told);
    if (saved > 0) {
      var _ = tensors(disk, "best.safetensors");
    }
    return newest;
  }

  private void checkCheckpoint(CrashDisk disk, String name, Map<String, byte[]> files) {
    assertTrue(files.containsKey("specification.json"), "a checkpoint of no run");
    try (TensorScope scope = TensorScope.open()) {
      SafeTensors contents = SafeTensors.readChecked(disk, folder.resolve(name), scope);
      long lines = Long.parseLong(contents.metadata().getOrDefault("own.metrics.bytes", "-1"));
      long there = files.getOrDefault("metrics.jsonl", new byte[0]).length;
      assertTrue(lines <= there, name + " counts on " + lines + " bytes of metrics, not " + there);
    }
  }

  private Map<String, byte[]> named(CrashDisk disk) {
    Map<String, byte[]> named = new TreeMap<>();
    disk.files().forEach((file, bytes) -> named.put(folder.relativize(file).toString(), bytes));
    return named;
  }

  /** Every file that a run ends with, without what a clock or the machine said. */
  Map<String, byte[]> results(CrashDisk disk) {
    Map<String, byte[]> results = new TreeMap<>();
    named(disk)
        .forEach(
            (name, bytes) -> {
              assertTrue(!WholeFile.isLeftover(Path.of(name)), name);
              if (!name.startsWith("events.") && !name.endsWith(".damaged")) {
                results.put(name, lasting(disk, name, bytes));
              }
            });
    return results;
  }

  private byte[] lasting(CrashDisk disk, String name, byte[] bytes) {
    String text = new String(bytes, UTF_8);
    return switch (name) {
      case "metrics.jsonl" -> text.replaceAll("\"(step|data_wait)_ms\":[^,}]+", "").getBytes(UTF_8);
      case "steps.csv" -> text.replaceAll("(,[^,\n]*){2}\n", "\n").getBytes(UTF_8);
      case "summary.json" ->
          text.replaceAll("\"(step_ms_median|samples_per_second|peak_rss_bytes)\" : .*", "")
              .getBytes(UTF_8);
      default -> CHECKPOINT.matcher(name).matches() ? tensors(disk, name) : bytes;
    };
  }

  /** All values of a file that is whole. */
  private byte[] tensors(CrashDisk disk, String name) {
    try (TensorScope scope = TensorScope.open()) {
      SafeTensors contents = SafeTensors.readChecked(disk, folder.resolve(name), scope);
      StringBuilder all = new StringBuilder();
      contents.tensors().forEach((each, tensor) -> all.append(each).append(bits(tensor)));
      return all.toString().getBytes(UTF_8);
    }
  }

  private static String bits(Tensor tensor) {
    return HexFormat.of().formatHex(tensor.data().toArray(ValueLayout.JAVA_BYTE));
  }
}
