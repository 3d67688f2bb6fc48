package dev.halfcell.gpu.library;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.halfcell.gpu.driver.LibraryException;
import dev.halfcell.gpu.library.ConvolutionProblem.Pass;
import dev.halfcell.gpu.library.ConvolutionProblem.Shapes;
import dev.halfcell.op.Padding2d;
import dev.halfcell.op.convolution.Conv2dGeometry;
import dev.halfcell.tensor.DType;
import dev.halfcell.tensor.Shape;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

/**
 * NVIDIA's own libraries take what they are told of products and convolutions: they need no GPU for
 * that. {@code ops-gpu/real-libraries} fetches them and runs this.
 */
@EnabledIfSystemProperty(
    named = "halfcell.nvidia",
    matches = ".+",
    disabledReason = "it needs 2 GB of NVIDIA's libraries: ops-gpu/real-libraries")
final class RealLibrariesTest {
  private static final Path FOLDER = Path.of(System.getProperty("halfcell.nvidia", ""));

  private static final Conv2dGeometry GEOMETRY =
      new Conv2dGeometry(2, 1, new Padding2d(1, 2, 0, 3), 1, 2, 2);
  private static final Shape IMAGE = Shape.of(2, 6, 7, 8);
  private static final Shape WEIGHT = Shape.of(4, 3, 3, 2);
  private static final Shape WINDOWS = Shape.of(2, 4, 4, 9);

  private final CudnnFunctions functions =
      CudnnFunctions.open(FOLDER.resolve("libcudnn_graph.so.9").toString());

  private ConvolutionProblem problem(Pass pass, DType in, DType out, Shape windows) {
    return new ConvolutionProblem(pass, in, out, new Shapes(IMAGE, WEIGHT, windows), GEOMETRY);
  }

  @Test
  void convolutionsOfAllPassesAndDtypesAreTaken() {
    System.out.println("cuDNN " + functions.version());
    for (DType dtype : List.of(DType.FP32, DType.FP16, DType.BF16)) {
      new CudnnOperation(functions, problem(Pass.FORWARD, dtype, dtype, WINDOWS)).close();
      new CudnnOperation(functions, problem(Pass.IMAGE_GRADIENT, dtype, dtype, WINDOWS)).close();
      new CudnnOperation(functions, problem(Pass.WEIGHT_GRADIENT, dtype, dtype, WINDOWS)).close();
      new CudnnOperation(functions, problem(Pass.WEIGHT_GRADIENT, dtype, DType.FP32, WINDOWS))
          .close();
    }
  }

  @Test
  void shapesThatDoNotFitAreRefused() {
    Shape wrong = Shape.of(2, 4, 4, 8);
    LibraryException e =
        assertThrows(
            LibraryException.class,
            () ->
                new CudnnOperation(
                    functions, problem(Pass.FORWARD, DType.FP16, DType.FP16, wrong)));
    assertEquals("cudnnBackendFinalize", e.problem().where());
  }

  @Test
  void productsOfAllDtypesAreTaken() {
    CublasLtFunctions products =
        CublasLtFunctions.open(FOLDER.resolve("libcublasLt.so.12").toString());
    System.out.println("cuBLASLt " + products.version());
    for (DType dtype : List.of(DType.FP32, DType.FP16, DType.BF16)) {
      for (DType out : List.of(dtype, DType.FP32)) {
        for (boolean transposed : List.of(false, true)) {
          Multiplication of =
              new Multiplication(
                  dtype,
                  out,
                  new Multiplication.Size(3, 5, 4),
                  7,
                  new Multiplication.Operand(transposed, false),
                  new Multiplication.Operand(!transposed, true));
          new Descriptors(products, of).close();
          new Descriptors(products, of.ending(true, transposed)).close();
        }
      }
    }
  }

  @Test
  void aMachineWithoutAGpuIsSaid() {
    LibraryException e = assertThrows(LibraryException.class, functions::handle);
    assertEquals("cudnnCreate", e.problem().where());
    assertTrue(e.problem().got().startsWith("CUDNN_STATUS_NOT_INITIALIZED (1001"), e::getMessage);
  }
}
