package dev.halfcell.zoo.data;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.halfcell.data.DataSet;
import dev.halfcell.tensor.ArgumentException;
import dev.halfcell.tensor.DType;
import dev.halfcell.tensor.Tensor;
import dev.halfcell.tensor.TensorScope;
import dev.halfcell.tensor.TensorSpec;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class ImageFormTest {
  private static final TensorSpec PLAIN = TensorSpec.of(DType.FP32, 28, 28);

  private static double[] first(TensorSpec form) {
    DataSet images = FashionMnist.open(Optional.of(FashionMnist.EMBEDDED), form).train();
    assertEquals(form, images.sample().getFirst());
    try (TensorScope scope = TensorScope.open()) {
      List<Tensor> batch =
          List.of(
              scope.allocate(form.as(form.shape().behind(1))),
              scope.allocate(TensorSpec.of(DType.INT64, 1)));
      images.read(0, batch, 0);
      return batch.getFirst().toArray();
    }
  }

  @Test
  void repeatsTheImageInEachChannelInsideItsFrame() {
    double[] plain = first(PLAIN);
    double[] framed = first(TensorSpec.of(DType.FP32, 3, 30, 30));
    for (int i = 0; i < framed.length; i++) {
      int y = i / 30 % 30 - 1;
      int x = i % 30 - 1;
      boolean inside = y >= 0 && y < 28 && x >= 0 && x < 28;
      assertEquals(inside ? plain[y * 28 + x] : 0, framed[i], "element " + i);
    }
  }

  @Test
  void enlargesEachPixelWhereTheSideIsAMultiple() {
    double[] plain = first(PLAIN);
    double[] large = first(TensorSpec.of(DType.FP32, 1, 84, 84));
    for (int i = 0; i < large.length; i++) {
      assertEquals(plain[i / 84 / 3 * 28 + i % 84 / 3], large[i], "element " + i);
    }
  }

  @Test
  void refusesFormsThatImagesCannotHave() {
    for (TensorSpec wrong :
        List.of(
            TensorSpec.of(DType.FP16, 1, 32, 32),
            TensorSpec.of(DType.FP32, 1, 32, 30),
            TensorSpec.of(DType.FP32, 1, 26, 26),
            TensorSpec.of(DType.FP32, 1, 29, 29),
            TensorSpec.of(DType.FP32, 784))) {
      assertThrows(ArgumentException.class, () -> new ImageForm(wrong), wrong.toString());
    }
  }
}
