package dev.halfcell.rest.service;

import java.util.Arrays;
import java.util.Optional;

/** The files of a run that can be fetched: a closed list, so that no name is ever a path. */
public enum ArtifactKind {
  /** What was trained. */
  MODEL("model.safetensors", "application/octet-stream"),
  /** The weights of the best epoch. */
  BEST("best.safetensors", "application/octet-stream"),
  /** What came out. */
  SUMMARY("summary.json", "application/json"),
  /** A line for each step. */
  METRICS("metrics.jsonl", "application/x-ndjson"),
  /** What was trained, with all defaults. */
  SPECIFICATION("specification.json", "application/json"),
  /** The precision plan. */
  PLAN("plan.txt", "text/plain"),
  /** The loss over the steps. */
  LOSS("loss.svg", "image/svg+xml"),
  /** A table with a line for each step. */
  TABLE("steps.csv", "text/csv"),
  /** The same for TensorBoard. */
  BOARD("events.out.tfevents.0001.halfcell", "application/octet-stream"),
  /** A profile for trace viewers. */
  TRACE("profile-trace.json", "application/json"),
  /** The last batch that overflowed. */
  OFFENDING_BATCH("offending-batch.safetensors", "application/octet-stream"),
  /** The state that its step was computed on. */
  OFFENDING_STATE("offending-state.safetensors", "application/octet-stream");

  private final String file;
  private final String mediaType;

  ArtifactKind(String file, String mediaType) {
    this.file = file;
    this.mediaType = mediaType;
  }

  /** Its name in the folder of a run, and in requests. */
  public String file() {
    return file;
  }

  /** What it is. */
  public String mediaType() {
    return mediaType;
  }

  /** The one of a name that somebody sent. */
  public static Optional<ArtifactKind> named(String name) {
    return Arrays.stream(values()).filter(kind -> kind.file.equals(name)).findFirst();
  }
}
