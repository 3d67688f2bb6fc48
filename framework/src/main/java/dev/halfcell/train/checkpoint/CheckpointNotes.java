package dev.halfcell.train.checkpoint;

import dev.halfcell.data.DataPosition;
import dev.halfcell.tensor.DataException;
import dev.halfcell.tensor.Problem;
import dev.halfcell.train.EpochTotals;
import dev.halfcell.train.Progress;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;

/**
 * What a checkpoint says of its run beside the values of the state. In the file each is a note
 * under its own key: {@code progress.epoch}, {@code run.level}, {@code environment.cpu}, {@code
 * own.…}.
 *
 * @param progress where the training stands
 * @param run what the run is, such as its level and data: a run goes on only where all of it is the
 *     same
 * @param environment what it runs on, such as the processor: where any of it is another, the bits
 *     may be others too
 * @param own what else its writer wants to find again
 */
public record CheckpointNotes(
    Progress progress,
    Map<String, String> run,
    Map<String, String> environment,
    Map<String, String> own) {
  private static final String PROGRESS = "progress.";

  /** The note with the step that a state is of. */
  public static final String STEP = PROGRESS + "step";

  private static final String RUN = "run.";
  private static final String ENVIRONMENT = "environment.";
  private static final String OWN = "own.";

  public CheckpointNotes {
    run = Collections.unmodifiableMap(new TreeMap<>(run));
    environment = Collections.unmodifiableMap(new TreeMap<>(environment));
    own = Collections.unmodifiableMap(new TreeMap<>(own));
  }

  /** In what the environment is another one: a line for each, with both values. */
  public List<String> environmentDiffers(Map<String, String> here) {
    TreeSet<String> names = new TreeSet<>(environment.keySet());
    names.addAll(here.keySet());
    List<String> lines = new ArrayList<>();
    for (String name : names) {
      String then = environment.getOrDefault(name, "none");
      String now = here.getOrDefault(name, "none");
      if (!then.equals(now)) {
        lines.add(name + " was " + then + ", is " + now);
      }
    }
    return lines;
  }

  Map<String, String> encode() {
    Map<String, String> notes = new TreeMap<>();
    EpochTotals totals = progress.totals();
    notes.put(STEP, Long.toString(progress.step()));
    notes.put(PROGRESS + "epoch", Integer.toString(progress.data().epoch()));
    notes.put(PROGRESS + "sample", Integer.toString(progress.data().sample()));
    notes.put(PROGRESS + "lossSum", Double.toString(totals.lossSum()));
    notes.put(PROGRESS + "finiteLosses", Integer.toString(totals.finiteLosses()));
    notes.put(PROGRESS + "samples", Long.toString(totals.samples()));
    notes.put(PROGRESS + "refused", Integer.toString(totals.refused()));
    notes.put(PROGRESS + "seconds", Double.toString(totals.seconds()));
    run.forEach((name, value) -> notes.put(RUN + name, value));
    environment.forEach((name, value) -> notes.put(ENVIRONMENT + name, value));
    own.forEach((name, value) -> notes.put(OWN + name, value));
    return notes;
  }

  /** Reads what {@link #encode} wrote among the notes of a file. */
  static CheckpointNotes decode(Map<String, String> notes, Path file) {
    Decoder in = new Decoder(notes, file);
    EpochTotals totals =
        new EpochTotals(
            in.number("lossSum", Double::valueOf),
            in.number("finiteLosses", Integer::valueOf),
            in.number("samples", Long::valueOf),
            in.number("refused", Integer::valueOf),
            in.number("seconds", Double::valueOf));
    Progress progress =
        new Progress(
            in.number("step", Long::valueOf),
            new DataPosition(
                in.number("epoch", Integer::valueOf), in.number("sample", Integer::valueOf)),
            totals);
    return new CheckpointNotes(progress, in.all(RUN), in.all(ENVIRONMENT), in.all(OWN));
  }

  private record Decoder(Map<String, String> notes, Path file) {
    <T> T number(String name, Function<String, T> parse) {
      String text = notes.get(PROGRESS + name);
      try {
        return parse.apply(Objects.requireNonNullElse(text, ""));
      } catch (NumberFormatException e) {
        Problem problem =
            new Problem(
                "Checkpoint",
                file.toString(),
                "a number as " + PROGRESS + name,
                String.valueOf(text),
                "Take a checkpoint that a run wrote into its folder.");
        throw new DataException(problem, e);
      }
    }

    Map<String, String> all(String prefix) {
      Map<String, String> named = new TreeMap<>();
      notes.forEach(
          (key, value) -> {
            if (key.startsWith(prefix)) {
              named.put(key.substring(prefix.length()), value);
            }
          });
      return named;
    }
  }
}
