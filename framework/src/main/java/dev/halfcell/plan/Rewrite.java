package dev.halfcell.plan;

/** A program of the same meaning: with fewer tasks, or with less to keep. Pure. */
@FunctionalInterface
public interface Rewrite {
  /** The rewritten program; the same one where there is nothing to do. */
  Program apply(Program program);
}
