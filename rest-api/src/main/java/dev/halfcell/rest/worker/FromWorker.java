package dev.halfcell.rest.worker;

import static java.util.Objects.requireNonNull;

import dev.halfcell.rest.job.JobProgress;
import dev.halfcell.rest.job.StatusReason.Code;
import dev.halfcell.rest.store.Report.Happened;
import dev.halfcell.zoo.run.Prediction;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** What a worker says to its server. Whoever makes one has checked what it holds. */
public sealed interface FromWorker extends Message {
  /**
   * Who it is.
   *
   * @param protocol {@link #PROTOCOL} of what it was built from
   * @param pid its process
   * @param job what it was started for
   * @param attempt the number of it; that of a task is below 0
   * @param secret what it was handed, by which it is known to be what the server has started
   */
  record Hello(int protocol, long pid, String job, int attempt, String secret)
      implements FromWorker {
    public Hello {
      requireNonNull(job);
      requireNonNull(secret);
    }
  }

  /** The version of the protocol; grows with each change of a message. */
  int PROTOCOL = 3;

  /**
   * It lives.
   *
   * @param resident the bytes that it holds, 0 where the system does not say
   */
  record Beat(long resident) implements FromWorker {}

  /**
   * Its run is open and on the disk, and it trains from here on: what comes later of its job finds
   * that run.
   *
   * @param fromStep the steps that lie behind it
   */
  record Began(long fromStep) implements FromWorker {
    public Began {
      require(fromStep >= 0, "fromStep at least 0");
    }
  }

  /**
   * What happened since it told last.
   *
   * @param progress how far it is
   * @param metrics the latest values that are new
   * @param events in their order
   */
  record Told(Optional<JobProgress> progress, Map<String, Double> metrics, List<Happened> events)
      implements FromWorker {
    public Told {
      progress.ifPresent(ToldLimits::require);
      ToldLimits.require(metrics);
      ToldLimits.require(events);
      metrics = Map.copyOf(metrics);
      events = List.copyOf(events);
    }
  }

  /** What a task came to. */
  sealed interface Result extends FromWorker {}

  /**
   * What the model made of the samples, all there were.
   *
   * @param predictions in their order
   * @param level the precision level that it was computed at
   * @param half the 16-bit dtype
   * @param device what computed
   */
  record Predicted(List<Prediction> predictions, String level, String half, String device)
      implements Result {
    public Predicted {
      predictions = List.copyOf(predictions);
      requireNonNull(level);
      requireNonNull(half);
      requireNonNull(device);
    }
  }

  /** What became of a step that was run again. */
  record Diagnosed(StepDiagnosis diagnosis) implements Result {
    public Diagnosed {
      requireNonNull(diagnosis);
    }
  }

  /** How its training ended. */
  sealed interface End extends FromWorker {}

  /** The network is trained, and all results lie on the disk. */
  record Completed(long steps) implements End {}

  /**
   * It was told to stop, and has saved its state.
   *
   * @param steps the steps taken
   * @param checkpoint the name of the file
   */
  record Stopped(long steps, String checkpoint) implements End {
    public Stopped {
      requireNonNull(checkpoint);
    }
  }

  /**
   * Its training cannot go on, or its task cannot be done.
   *
   * @param code why its job fails
   * @param type a word of the list in {@link dev.halfcell.rest.job.Failure}
   * @param detail a sentence for people
   * @param cell the cell it happened in
   * @param step the steps taken by then
   * @param outOfMemory whether too much memory ended it
   * @param retryable whether it may do better another time
   */
  record Failed(
      Code code,
      String type,
      String detail,
      Optional<String> cell,
      Optional<Long> step,
      boolean outOfMemory,
      boolean retryable)
      implements End {
    private static final Set<Code> CODES =
        EnumSet.of(Code.TRAINING_FAILED, Code.OUT_OF_MEMORY, Code.NO_USABLE_CHECKPOINT);
    private static final Set<String> TYPES =
        Set.of("argument", "shape", "data", "memory", "non-finite", "internal");

    /** The longest detail. */
    static final int LONGEST = 4000;

    public Failed {
      require(CODES.contains(code), "a code of " + CODES);
      require(TYPES.contains(type), "a type of " + TYPES);
      require(detail.length() <= LONGEST, "a detail of at most " + LONGEST + " characters");
      require(cell.map(String::length).orElse(0) <= LONGEST, "a shorter cell");
    }
  }

  private static void require(boolean holds, String expected) {
    if (!holds) {
      throw new IllegalArgumentException("expected " + expected);
    }
  }
}
