package dev.halfcell.gpu.kernel;

import dev.halfcell.gpu.driver.DeviceMemory;
import dev.halfcell.gpu.library.ConvolutionProblem;
import dev.halfcell.gpu.library.LibraryTask;
import dev.halfcell.gpu.library.Multiplication;
import dev.halfcell.gpu.library.Multiplication.Operand;
import dev.halfcell.op.Padding2d;
import dev.halfcell.op.convolution.Conv2dGeometry;
import dev.halfcell.tensor.DType;
import dev.halfcell.tensor.Shape;
import dev.halfcell.tensor.TensorSpec;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The gradient of a convolution by its weight in FP32, of operands in half, by libraries: cuDNN has
 * no fast engine for that, whose images lie row by row. Both operands are copied with their
 * channels last, unless they lie so.
 *
 * <p>Where the kernel is of 1 x 1 that makes it a product of two matrices, of the pixels that
 * windows meet: they are copied where that is not all of them. Else the copies are in FP32 and are
 * multiplied in TF32, which has all digits of FP16 and of BF16, so that no product is rounded. Of
 * ResNet-50's layers at a batch of 256 cuDNN 9.14 takes 63 ms on an H200 by its engine for half, 20
 * of copies in FP32 as images lie here, 14 of these.
 *
 * @param problem in half, to FP32
 * @param task who computes, of the copies
 * @param name what it is called
 * @param copied the dtype of the copies
 * @param result how the result has to be turned; none where it lies as it should
 */
record TurnedWeightGradient(
    ConvolutionProblem problem,
    LibraryTask task,
    String name,
    DType copied,
    Optional<TurnedMatrices> result) {
  /** Whether there is room for the copies, and a grid for what turns them. */
  static boolean fits(Code code, List<TensorSpec> in) {
    long bytes = in.stream().mapToLong(spec -> bytes(DType.FP32, spec)).sum();
    return bytes <= code.convolutions().mostWorkspaceBytes()
        && in.stream().map(TurnedWeightGradient::turned).allMatch(TurnedMatrices::fit);
  }

  private static long bytes(DType copied, TensorSpec spec) {
    return new TensorSpec(copied, spec.shape()).bytes();
  }

  /**
   * How it is computed; none where the libraries refuse.
   *
   * @param problem in half, to FP32
   * @param last whether the operands lie with their channels last
   * @param own the same by own kernels
   */
  static Optional<Recipe> of(
      Code code, ConvolutionProblem problem, List<TensorSpec> in, boolean last, Recipe own) {
    return product(code, problem, last)
        .or(() -> convolution(code, problem))
        .map(each -> each.recipe(code.kernels(), in, last, own));
  }

  private static TurnedMatrices turned(TensorSpec images) {
    return TurnedMatrices.channelsLast(images.shape());
  }

  /** Each place of an image is a line of both matrices. */
  private static Optional<TurnedWeightGradient> product(
      Code code, ConvolutionProblem problem, boolean last) {
    Shape weight = problem.shapes().weight();
    Shape windows = problem.shapes().windows();
    long places = windows.size() / windows.dim(1);
    boolean met = everyPixel(problem) || last && PixelKernels.fit(problem);
    if (!pointwise(problem) || !met || places > Integer.MAX_VALUE) {
      return Optional.empty();
    }
    Multiplication product =
        new Multiplication(
            problem.in(),
            problem.out(),
            new Multiplication.Size(weight.dim(0), weight.dim(1), (int) places),
            1,
            new Operand(true, false),
            new Operand(false, false));
    return code.products()
        .task(product)
        .map(
            task ->
                new TurnedWeightGradient(
                    problem, task, code.products().name(), problem.in(), Optional.empty()));
  }

  /** Whether the kernel is of 1 x 1 and each window has a pixel: without padding, then. */
  private static boolean pointwise(ConvolutionProblem problem) {
    Conv2dGeometry geometry = problem.geometry();
    return problem.shapes().weight().tail().tail().size() == 1
        && geometry.groups() == 1
        && geometry.padding().equals(Padding2d.NONE);
  }

  /** Whether each pixel has a window, too. */
  private static boolean everyPixel(ConvolutionProblem problem) {
    return problem.geometry().strideHeight() == 1 && problem.geometry().strideWidth() == 1;
  }

  private static Optional<TurnedWeightGradient> convolution(Code code, ConvolutionProblem problem) {
    TurnedMatrices result = TurnedMatrices.channelsFirst(problem.shapes().weight());
    return code.convolutions()
        .task(problem.widened().turned())
        .filter(_ -> result.fit())
        .map(
            task ->
                new TurnedWeightGradient(
                    problem,
                    task,
                    code.convolutions().name(),
                    DType.FP32,
                    Optional.of(result).filter(turns -> !turns.lieAlike())));
  }

  /** Works in the memory of own kernels, then in the copies, then in that of the library. */
  private Recipe recipe(KernelLibrary kernels, List<TensorSpec> in, boolean last, Recipe own) {
    int first = own.workspaces().size();
    List<Long> workspaces = new ArrayList<>(own.workspaces());
    boolean copies = !last || copied == DType.FP32;
    workspaces.add(copies ? bytes(copied, in.get(0)) : 0L);
    workspaces.add(copies ? bytes(copied, in.get(1)) : meets() ? PixelKernels.bytes(problem) : 0L);
    workspaces.add(result.map(turns -> turns.bytes(DType.FP32)).orElse(0L));
    workspaces.add(task.workspaceBytes());
    in.forEach(spec -> workspaces.add(last ? spec.bytes() : 0L));
    return new Recipe(
        name, workspaces, place -> launches(kernels, place, first, copies, last, own));
  }

  /** Whether the pixels that windows meet are copied. */
  private boolean meets() {
    return copied.half() && !everyPixel(problem);
  }

  private List<Launch> launches(
      KernelLibrary kernels,
      Recipe.Place place,
      int first,
      boolean copies,
      boolean last,
      Recipe own) {
    List<DeviceMemory> given = place.workspaces();
    DeviceMemory y = place.out(0).memory();
    DeviceMemory before = result.isPresent() ? given.get(first + 2) : y;
    List<Launch> launches = new ArrayList<>();
    List<Launch> otherwise = new ArrayList<>();
    List<DeviceMemory> operands = new ArrayList<>();
    List<DeviceTensor> rowMajor = new ArrayList<>();
    for (int i = 0; i < 2; i++) {
      DeviceTensor x = place.in(i);
      boolean met = i == 1 && meets();
      operands.add(copies || met ? given.get(first + i) : x.memory());
      if (met) {
        launches.add(PixelKernels.met(kernels, problem, x.memory(), given.get(first + i)));
      } else if (copies) {
        launches.add(copy(kernels, x, last, given.get(first + i)));
      }
      if (last) {
        DeviceMemory back = given.get(first + 4 + i);
        otherwise.add(TurnedMatrices.rowMajor(kernels, x, back));
        rowMajor.add(new DeviceTensor(x.spec(), back));
      } else {
        rowMajor.add(x);
      }
    }
    otherwise.addAll(
        own.binding()
            .at(new Recipe.Place(rowMajor, place.out(), given.subList(0, first), place.problem())));
    launches.add(
        new LibraryLaunch(
            task,
            new LibraryTask.Place(
                operands.get(0), operands.get(1), DeviceMemory.NONE, before, given.get(first + 3)),
            result.stream()
                .map(turns -> turns.launch(kernels, DType.FP32, before, DType.FP32, y))
                .toList(),
            otherwise));
    return launches;
  }

  private Launch copy(KernelLibrary kernels, DeviceTensor x, boolean last, DeviceMemory to) {
    return last
        ? PrecisionKernels.widened(kernels, x, to)
        : turned(x.spec()).launch(kernels, x.spec().dtype(), x.memory(), copied, to);
  }
}
