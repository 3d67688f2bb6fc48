package dev.halfcell.benchmarks.op;

import dev.halfcell.backend.Backend;
import dev.halfcell.benchmarks.PlannedOp;
import dev.halfcell.op.Op;
import dev.halfcell.op.Padding2d;
import dev.halfcell.op.convolution.Conv2d;
import dev.halfcell.op.convolution.Conv2dGeometry;
import dev.halfcell.op.elementwise.Relu;
import dev.halfcell.op.linear.Dense;
import dev.halfcell.op.linear.MatMul;
import dev.halfcell.op.loss.SoftmaxCrossEntropy;
import dev.halfcell.op.normalization.BatchNorm;
import dev.halfcell.op.normalization.LayerNorm;
import dev.halfcell.tensor.DType;
import dev.halfcell.tensor.TensorSpec;
import java.util.List;

/** An op with inputs of the sizes that networks give it. */
public enum SingleOp {
  /** Two matrices of 1024 x 1024. */
  MATMUL,
  /** The second layer of the MLP. */
  DENSE,
  /** Of the second stage of ResNet-20. */
  CONVOLUTION_3X3,
  /** Of the first stage of ResNet-20. */
  BATCH_NORM,
  /** Of the first stage of ResNet-20. */
  RELU,
  /** A thousand classes. */
  SOFTMAX_CROSS_ENTROPY,
  /** Of a transformer: 16 sequences of 128 vectors. */
  LAYER_NORM;

  PlannedOp on(Backend backend, DType dtype) {
    return new PlannedOp(backend, op(), inputs(dtype).toArray(TensorSpec[]::new));
  }

  private Op op() {
    return switch (this) {
      case MATMUL -> new MatMul(false, false, false);
      case DENSE -> new Dense();
      case CONVOLUTION_3X3 ->
          new Conv2d(new Conv2dGeometry(1, 1, new Padding2d(1, 1, 1, 1), 1, 1, 1));
      case BATCH_NORM -> new BatchNorm(1e-5);
      case RELU -> new Relu();
      case SOFTMAX_CROSS_ENTROPY -> new SoftmaxCrossEntropy();
      case LAYER_NORM -> new LayerNorm(1e-5);
    };
  }

  /** Scales and shifts of a normalisation are FP32 beside any dtype. */
  private List<TensorSpec> inputs(DType d) {
    return switch (this) {
      case MATMUL -> List.of(spec(d, 1024, 1024), spec(d, 1024, 1024));
      case DENSE -> List.of(spec(d, 128, 1024), spec(d, 1024, 1024), spec(d, 1024));
      case CONVOLUTION_3X3 -> List.of(spec(d, 128, 32, 16, 16), spec(d, 32, 32, 3, 3));
      case BATCH_NORM ->
          List.of(spec(d, 128, 16, 32, 32), spec(DType.FP32, 16), spec(DType.FP32, 16));
      case RELU -> List.of(spec(d, 128, 16, 32, 32));
      case SOFTMAX_CROSS_ENTROPY -> List.of(spec(d, 128, 1000), spec(DType.INT64, 128));
      case LAYER_NORM ->
          List.of(spec(d, 16, 128, 256), spec(DType.FP32, 256), spec(DType.FP32, 256));
    };
  }

  private static TensorSpec spec(DType dtype, int... sizes) {
    return TensorSpec.of(dtype, sizes);
  }
}
