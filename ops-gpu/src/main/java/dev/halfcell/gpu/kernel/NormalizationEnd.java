package dev.halfcell.gpu.kernel;

/** What follows a normalisation before its result is rounded. */
enum NormalizationEnd {
  NONE,
  RELU,
  ADD_RELU
}
