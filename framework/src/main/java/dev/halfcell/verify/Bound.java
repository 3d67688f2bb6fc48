package dev.halfcell.verify;

/** What a right FP32 implementation keeps: |got − want| ≤ absolute + relative · |want|. */
record Bound(double absolute, double relative) {
  /** Of single ops and of optimizers. */
  static final Bound STANDARD = new Bound(1e-5, 1e-4);

  /** Of ops that go through a sequence step by step, where rounding adds up. */
  static final Bound SEQUENCE = new Bound(1e-4, 1e-3);

  double around(double want) {
    return absolute + relative * Math.abs(want);
  }
}
