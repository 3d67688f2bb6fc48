package dev.halfcell.nn;

import dev.halfcell.tensor.ArgumentException;
import dev.halfcell.tensor.DType;

/** A user's request that a cell compute in this dtype. A precision plan resolves it. */
public enum PrecisionFlag {
  /** Compute in IEEE half precision. */
  FP16(DType.FP16),
  /** Compute in bfloat16. */
  BF16(DType.BF16),
  /** Compute in single precision; wins over the others on the same cell. */
  FP32(DType.FP32);

  private final DType dtype;

  PrecisionFlag(DType dtype) {
    this.dtype = dtype;
  }

  /** The dtype that is asked for. */
  public DType dtype() {
    return dtype;
  }

  /** The flag that asks for {@code dtype}. */
  static PrecisionFlag of(DType dtype) {
    return switch (dtype) {
      case FP16 -> FP16;
      case BF16 -> BF16;
      case FP32 -> FP32;
      case FP64, INT64, INT32, UINT8, BOOL ->
          throw new ArgumentException("toFloat", "fp16, bf16 or fp32", dtype.label());
    };
  }
}
