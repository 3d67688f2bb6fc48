package dev.halfcell.gpu.kernel;

import dev.halfcell.gpu.driver.DeviceMemory;
import dev.halfcell.gpu.driver.GpuKernel.Argument;
import dev.halfcell.gpu.driver.GpuKernel.Size;
import dev.halfcell.gpu.library.Multiplication;
import dev.halfcell.gpu.library.Multiplication.Operand;
import dev.halfcell.tensor.DType;
import java.util.ArrayList;
import java.util.List;

/**
 * Products of matrices by own kernels: of halves on tensor cores ({@code half_product.cu}), of FP32
 * in FP32 ({@code float_product.cu}).
 */
final class ProductKernels {
  private static final int LARGE = 128;
  private static final int SMALL = 64;
  private static final int FLOAT_THREADS = 256;

  /** A warp computes 64 x 32 elements of a large tile, 32 x 32 of a small one. */
  private static final int LARGE_THREADS = 256;

  private static final int SMALL_THREADS = 128;
  private static final int VECTOR_BYTES = 16;

  private ProductKernels() {}

  /** A product of the matrices at {@code a} and {@code b}, to y. */
  static Launch launch(
      KernelLibrary kernels, Multiplication of, DeviceMemory a, DeviceMemory b, DeviceMemory y) {
    int tile = tile(kernels, of.size(), of.matrices());
    boolean half = of.in().half();
    List<Argument> arguments =
        new ArrayList<>(
            List.of(new Argument.Address(a), new Argument.Address(b), new Argument.Address(y)));
    if (half) {
      arguments.add(new Argument.Int32(of.out() == of.in() ? 0 : 1));
    }
    int m = of.size().m();
    int n = of.size().n();
    int k = of.size().k();
    arguments.addAll(
        List.of(
            new Argument.Int32(m),
            new Argument.Int32(n),
            new Argument.Int32(k),
            new Argument.Int64(of.a().repeated() ? 0 : (long) m * k),
            new Argument.Int64(of.b().repeated() ? 0 : (long) k * n),
            aligned(of.in(), a, of.a().transposed() ? m : k),
            aligned(of.in(), b, of.b().transposed() ? k : n)));
    String name = (half ? "half" : "float") + "_product_" + order(of.a()) + order(of.b());
    String file = half ? "half_product" : "float_product";
    int threads = !half ? FLOAT_THREADS : tile == LARGE ? LARGE_THREADS : SMALL_THREADS;
    return new KernelLaunch(
        half
            ? kernels.kernel(file, name + "_" + tile, of.in())
            : kernels.kernel(file, name + "_" + tile),
        new Size(Math.ceilDiv(m, tile), Math.ceilDiv(n, tile), of.matrices()),
        Size.of(threads),
        arguments);
  }

  /** Large tiles read less, and are of use where there are enough of them. */
  private static int tile(KernelLibrary kernels, Multiplication.Size size, int matrices) {
    long blocks = (long) Math.ceilDiv(size.m(), LARGE) * Math.ceilDiv(size.n(), LARGE) * matrices;
    boolean large = Math.min(size.m(), size.n()) > SMALL && blocks >= kernels.multiprocessors();
    return large ? LARGE : SMALL;
  }

  private static String order(Operand operand) {
    return operand.transposed() ? "t" : "n";
  }

  /** Whether all lines of an operand start where 16 bytes can be read at once. */
  private static Argument aligned(DType dtype, DeviceMemory memory, int length) {
    boolean lines = (long) length * dtype.bytes() % VECTOR_BYTES == 0;
    return new Argument.Int32(lines && memory.address() % VECTOR_BYTES == 0 ? 1 : 0);
  }
}
