package dev.halfcell.benchmarks;

/** What a contender computes in where it may. */
enum Precision {
  FP32,
  BF16,
  FP16;

  /** Whether it has 16 bits. */
  boolean half() {
    return this != FP32;
  }
}
