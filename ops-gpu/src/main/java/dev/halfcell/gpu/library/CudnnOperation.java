package dev.halfcell.gpu.library;

import dev.halfcell.op.Padding2d;
import dev.halfcell.op.convolution.Conv2dGeometry;
import dev.halfcell.tensor.DType;
import dev.halfcell.tensor.Shape;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;

/**
 * What cuDNN is told of a convolution: its tensors, how it walks, and the operation.
 *
 * <p>Source of the numbers: cudnn_graph.h of cuDNN 9.5.
 */
final class CudnnOperation implements AutoCloseable {
  private static final int CONVOLUTION = 1;
  private static final int TENSOR = 17;

  private static final int DATA_TYPE = 1;
  private static final int CONVOLUTION_MODE = 7;
  private static final int CROSS_CORRELATION = 1;

  private static final int COMPUTED_IN = 100;
  private static final int MODE = 101;
  private static final int DILATIONS = 102;
  private static final int STRIDES = 103;
  private static final int PADDING_BEHIND = 104;
  private static final int PADDING_BEFORE = 105;
  private static final int AXES = 106;

  private static final int TENSOR_ALIGNMENT = 900;
  private static final int TENSOR_TYPE = 901;
  private static final int TENSOR_SIZES = 902;
  private static final int TENSOR_STRIDES = 903;
  private static final int TENSOR_NUMBER = 906;

  private static final int AXES_OF_TENSOR = 4;

  /** The axes of a tensor from the one whose neighbours lie next to each other. */
  private static final List<Integer> AS_SHAPED = List.of(3, 2, 1, 0);

  private static final List<Integer> CHANNELS_LAST = List.of(1, 3, 2, 0);

  /** The numbers by which its tensors are known: both operands and the result. */
  static final long A = 1;

  static final long B = 2;
  static final long Y = 3;

  private final CudnnFunctions functions;
  private final Deque<CudnnDescriptor> made = new ArrayDeque<>();
  private final CudnnDescriptor operation;

  /**
   * Tells it.
   *
   * @throws dev.halfcell.gpu.driver.LibraryException where the library refuses
   */
  CudnnOperation(CudnnFunctions functions, ConvolutionProblem of) {
    this.functions = functions;
    try {
      this.operation = operation(of);
    } catch (RuntimeException | Error e) {
      close();
      throw e;
    }
  }

  CudnnDescriptor descriptor() {
    return operation;
  }

  private CudnnDescriptor make(int type) {
    CudnnDescriptor descriptor = CudnnDescriptor.of(functions, type);
    made.push(descriptor);
    return descriptor;
  }

  /** Which descriptor an operation is, and which of its attributes are what. */
  private record Attributes(int type, int alpha, int beta, int how, int a, int b, int y) {
    static Attributes of(ConvolutionProblem.Pass pass) {
      return switch (pass) {
        case FORWARD -> new Attributes(10, 700, 701, 702, 704, 703, 705);
        case IMAGE_GRADIENT -> new Attributes(12, 706, 707, 708, 711, 709, 710);
        case WEIGHT_GRADIENT -> new Attributes(11, 712, 713, 714, 717, 716, 715);
      };
    }
  }

  private CudnnDescriptor operation(ConvolutionProblem of) {
    ConvolutionProblem.Shapes shapes = of.shapes();
    Attributes attributes = Attributes.of(of.pass());
    Shape a = of.pass() == ConvolutionProblem.Pass.FORWARD ? shapes.image() : shapes.windows();
    Shape b =
        of.pass() == ConvolutionProblem.Pass.WEIGHT_GRADIENT ? shapes.image() : shapes.weight();
    Shape y =
        switch (of.pass()) {
          case FORWARD -> shapes.windows();
          case IMAGE_GRADIENT -> shapes.image();
          case WEIGHT_GRADIENT -> shapes.weight();
        };
    return make(attributes.type)
        .descriptor(attributes.how, how(of.geometry()))
        .descriptor(attributes.a, tensor(A, of, of.in(), a))
        .descriptor(attributes.b, tensor(B, of, of.in(), b))
        .descriptor(attributes.y, tensor(Y, of, of.out(), y))
        .number(attributes.alpha, 1)
        .number(attributes.beta, 0)
        .finished();
  }

  private CudnnDescriptor how(Conv2dGeometry geometry) {
    Padding2d padding = geometry.padding();
    return make(CONVOLUTION)
        .choice(COMPUTED_IN, DATA_TYPE, number(DType.FP32))
        .choice(MODE, CONVOLUTION_MODE, CROSS_CORRELATION)
        .integers(AXES, 2)
        .integers(STRIDES, geometry.strideHeight(), geometry.strideWidth())
        .integers(DILATIONS, geometry.dilationHeight(), geometry.dilationWidth())
        .integers(PADDING_BEFORE, padding.top(), padding.left())
        .integers(PADDING_BEHIND, padding.bottom(), padding.right())
        .finished();
  }

  /** A dense one of four axes. */
  private CudnnDescriptor tensor(long number, ConvolutionProblem of, DType dtype, Shape shape) {
    long[] sizes = new long[AXES_OF_TENSOR];
    long[] strides = new long[AXES_OF_TENSOR];
    long stride = 1;
    for (int axis : of.channelsLast() ? CHANNELS_LAST : AS_SHAPED) {
      sizes[axis] = shape.dim(axis);
      strides[axis] = stride;
      stride *= sizes[axis];
    }
    return make(TENSOR)
        .choice(TENSOR_TYPE, DATA_TYPE, number(dtype))
        .integers(TENSOR_SIZES, sizes)
        .integers(TENSOR_STRIDES, strides)
        .integers(TENSOR_NUMBER, number)
        .integers(TENSOR_ALIGNMENT, LibraryTask.ALIGNMENT)
        .finished();
  }

  /** The {@code cudnnDataType_t} of a dtype. */
  private static int number(DType dtype) {
    return switch (dtype) {
      case FP32 -> 0;
      case FP16 -> 2;
      case BF16 -> 9;
      default -> throw new IllegalArgumentException("a convolution in " + dtype.label());
    };
  }

  @Override
  public void close() {
    while (!made.isEmpty()) {
      made.pop().close();
    }
  }
}
