package dev.halfcell.testkit.disk;

/** What a power loss leaves of what was not forced. What was forced is there in every case. */
public enum Damage {
  /** Nothing of it. */
  FORCED_ONLY,
  /** Any of the writes, whole, with zeros for those before them, and any of the names. */
  SOME,
  /** All of it but for a part of the write that came last. */
  TORN_LAST_WRITE,
  /** New names stand for files whose contents are lost. */
  NAMES_WITHOUT_CONTENTS,
  /** The contents are there, under the old names. */
  CONTENTS_WITHOUT_NAMES;

  /** Whether another seed gives another damage. */
  public boolean drawn() {
    return this == SOME || this == TORN_LAST_WRITE;
  }
}
