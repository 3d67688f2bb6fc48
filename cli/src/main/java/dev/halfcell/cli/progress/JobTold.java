package dev.halfcell.cli.progress;

import dev.halfcell.cli.text.Figures;
import dev.halfcell.cli.text.Printable;
import dev.halfcell.rest.client.Event;
import dev.halfcell.rest.client.Job;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;

/** Makes figures and lines of a job's events. One thread. */
public final class JobTold {
  private static final long BETWEEN_QUESTIONS = Duration.ofSeconds(2).toNanos();

  private final JobProgress progress;
  private final Supplier<Optional<Job.Progress>> now;
  private Optional<Job.Progress> known;
  private long asked = System.nanoTime() - BETWEEN_QUESTIONS;
  private double overflows;

  /**
   * Figures and lines to a display.
   *
   * @param now asks how far the job is, which says how long it is
   * @param known what is known of that
   */
  public JobTold(
      JobProgress progress, Supplier<Optional<Job.Progress>> now, Optional<Job.Progress> known) {
    this.progress = progress;
    this.now = now;
    this.known = known;
  }

  /** This has happened. */
  public void tell(Event event) {
    switch (event.kind()) {
      case "state" -> say(event.text("to").orElse("?") + reason(event));
      case "step" -> step(event);
      case "epoch" -> epoch(event);
      case "overflow" -> overflows += event.number("count").orElse(1.0);
      case "scale" ->
          say(
              "step %s: loss scale %s -> %s"
                  .formatted(plain(event, "step"), plain(event, "from"), plain(event, "to")));
      case "notice" -> event.text("message").ifPresent(this::say);
      default -> {} // checkpoints are many, and what is not known cannot be told
    }
  }

  private void say(String line) {
    progress.say(Printable.text(line));
  }

  private static String reason(Event event) {
    return event.data().get("reason") instanceof Map<?, ?> reason
            && reason.get("message") instanceof String message
        ? ": " + message
        : "";
  }

  private static String plain(Event event, String key) {
    return event.number(key).map(Figures::plain).orElse("?");
  }

  private void step(Event event) {
    double step = event.number("step").orElse(0.0);
    learn();
    double total = known.flatMap(Job.Progress::totalSteps).orElse(0L);
    String epochs = known.map(at -> "/" + at.epochs()).orElse("");
    progress.at(
        "epoch " + plain(event, "epoch") + epochs,
        total > 0 ? Math.clamp(step / total, 0, 1) : 0,
        String.join(
            "  ",
            "loss " + event.number("loss").map(loss -> Figures.fixed(loss, 4)).orElse("not finite"),
            event.number("samplesPerSecond").map(Figures::count).orElse("?") + " samples/s",
            "scale " + plain(event, "lossScale"),
            "skipped " + Figures.plain(overflows)));
  }

  /** How long a job is its worker says some time after it begins. */
  private void learn() {
    boolean unknown = known.flatMap(Job.Progress::totalSteps).isEmpty();
    if (unknown && System.nanoTime() - asked >= BETWEEN_QUESTIONS) {
      asked = System.nanoTime();
      known = now.get();
    }
  }

  private void epoch(Event event) {
    List<String> figures = new ArrayList<>();
    event.number("meanLoss").ifPresent(loss -> figures.add("mean loss " + Figures.fixed(loss, 4)));
    event.number("seconds").ifPresent(time -> figures.add(Figures.fixed(time, 1) + " s"));
    if (event.data().get("metrics") instanceof Map<?, ?> metrics) {
      metrics.forEach(
          (name, value) -> {
            if (value instanceof Number number) {
              figures.add(name + " " + Figures.fixed(number.doubleValue(), 4));
            }
          });
    }
    say("epoch " + plain(event, "epoch") + ": " + String.join(", ", figures));
  }
}
