package dev.halfcell.gpu.library;

import dev.halfcell.gpu.library.Multiplication.Operand;
import dev.halfcell.tensor.DType;
import java.util.ArrayDeque;
import java.util.Deque;

/**
 * What cuBLASLt is told of a product. It thinks of matrices whose columns come first; one whose
 * rows come first is the transposed one to it. So it is asked for yᵀ = bᵀ · aᵀ, where b comes first
 * and nothing is moved.
 *
 * <p>Source: cublasLt.h, cublas_api.h and library_types.h of CUDA 13.1, for the numbers.
 */
final class Descriptors implements AutoCloseable {
  /** {@code CUBLAS_COMPUTE_32F}: FP32 throughout, without TF32. */
  private static final int COMPUTE_FP32 = 68;

  private static final int TRANSPOSE_FIRST = 3;
  private static final int TRANSPOSE_SECOND = 4;
  private static final int AS_IT_IS = 0;
  private static final int TRANSPOSED = 1;
  private static final int EPILOGUE = 7;
  private static final int BIAS_POINTER = 8;
  private static final int RELU = 2;
  private static final int ADD_BIAS = 4;

  /** Where a bias is said to lie while it has no place: of that, only its alignment counts. */
  private static final long SOMEWHERE = 256;

  private static final int BATCH_COUNT = 5;
  private static final int BATCH_STRIDE = 6;

  private final CublasLtFunctions functions;
  private final Deque<Runnable> ends = new ArrayDeque<>();
  private final long operation;
  private final long first;
  private final long second;
  private final long result;

  /**
   * Makes them.
   *
   * @throws dev.halfcell.gpu.driver.LibraryException where the library refuses one
   */
  Descriptors(CublasLtFunctions functions, Multiplication of) {
    this.functions = functions;
    try {
      int m = of.size().m();
      int n = of.size().n();
      int k = of.size().k();
      this.operation = operation(of);
      this.first =
          layout(of.in(), of.b().transposed() ? new Rows(n, k) : new Rows(k, n), of, of.b());
      this.second =
          layout(of.in(), of.a().transposed() ? new Rows(k, m) : new Rows(m, k), of, of.a());
      this.result = layout(of.out(), new Rows(m, n), of, new Operand(false, false));
    } catch (RuntimeException | Error e) {
      close();
      throw e;
    }
  }

  /** A matrix as it lies in memory: {@code count} rows of {@code length} elements. */
  private record Rows(int count, int length) {}

  private long operation(Multiplication of) {
    long made = functions.make(functions.operationCreate, COMPUTE_FP32, number(DType.FP32));
    ends.push(() -> functions.require(functions.operationDestroy, made));
    functions.set(functions.operationSet, made, TRANSPOSE_FIRST, transposition(of.b()));
    functions.set(functions.operationSet, made, TRANSPOSE_SECOND, transposition(of.a()));
    int ending = (of.ending().relu() ? RELU : 0) | (of.ending().biased() ? ADD_BIAS : 0);
    if (ending != 0) {
      functions.set(functions.operationSet, made, EPILOGUE, ending);
    }
    if (of.ending().biased()) {
      functions.set(functions.operationSet, made, BIAS_POINTER, SOMEWHERE);
    }
    return made;
  }

  /** Says where the bias lies of the product that is asked for next. */
  void bias(long address) {
    functions.set(functions.operationSet, operation, BIAS_POINTER, address);
  }

  private static int transposition(Operand operand) {
    return operand.transposed() ? TRANSPOSED : AS_IT_IS;
  }

  private long layout(DType dtype, Rows rows, Multiplication of, Operand operand) {
    long length = rows.length;
    long count = rows.count;
    long made = functions.make(functions.layoutCreate, number(dtype), length, count, length);
    ends.push(() -> functions.require(functions.layoutDestroy, made));
    if (of.matrices() > 1) {
      long stride = operand.repeated() ? 0 : length * count;
      functions.set(functions.layoutSet, made, BATCH_COUNT, of.matrices());
      functions.set(functions.layoutSet, made, BATCH_STRIDE, stride);
    }
    return made;
  }

  /** The {@code cudaDataType} of a dtype. */
  private static int number(DType dtype) {
    return switch (dtype) {
      case FP32 -> 0;
      case FP16 -> 2;
      case BF16 -> 14;
      default -> throw new IllegalArgumentException("a product in " + dtype.label());
    };
  }

  long operation() {
    return operation;
  }

  /** The layout of b. */
  long first() {
    return first;
  }

  /** The layout of a. */
  long second() {
    return second;
  }

  /** The layout of y. */
  long result() {
    return result;
  }

  /** Closing twice does nothing. */
  @Override
  public void close() {
    while (!ends.isEmpty()) {
      ends.pop().run();
    }
  }
}
