package dev.halfcell.rest.job;

import java.util.Locale;

/** The kinds of things that are told of a job. */
public enum EventKind {
  /** It moved: {@code {from, to, reason {code, message}}}. */
  STATE,
  /** Its worker took steps: the last of them; at most a few in a second. */
  STEP,
  /** An epoch ended, or was measured. */
  EPOCH,
  /** Steps overflowed and were skipped: the last of them and how many since the last event. */
  OVERFLOW,
  /** The loss scale changed: {@code {step, from, to}}. */
  SCALE,
  /** A checkpoint was saved: {@code {step, name}}. */
  CHECKPOINT,
  /** Something that a user should know: {@code {message}}. */
  NOTICE;

  /** Its name in streams and in JSON. */
  public String label() {
    return name().toLowerCase(Locale.ROOT);
  }
}
