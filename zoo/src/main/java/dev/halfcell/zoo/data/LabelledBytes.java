package dev.halfcell.zoo.data;

import dev.halfcell.tensor.DataException;
import dev.halfcell.tensor.Problem;
import java.util.List;

/**
 * The images and labels of two IDX files that belong together.
 *
 * @param pixels image after image, each 28 lines of 28 grey values
 * @param labels a class from 0 to 9 for each image
 */
record LabelledBytes(NativeBytes pixels, NativeBytes labels) {
  /** Two files that have to fit each other; the names are for messages. */
  static LabelledBytes of(IdxFile pixels, String imagesName, IdxFile classes, String labelsName) {
    int count = pixels.sizes().getFirst();
    int side = FashionImages.SIDE;
    require(
        pixels.sizes().equals(List.of(count, side, side)),
        imagesName,
        "images of " + side + " x " + side + " pixels",
        pixels.sizes().get(1) + " x " + pixels.sizes().get(2));
    require(
        classes.sizes().getFirst() == count,
        labelsName,
        count + " labels, as many as images in " + imagesName,
        classes.sizes().getFirst() + " labels");
    requireClasses(classes.elements(), labelsName);
    return new LabelledBytes(pixels.elements(), classes.elements());
  }

  private static void requireClasses(NativeBytes labels, String where) {
    for (int i = 0; i < labels.size(); i++) {
      int label = labels.at(i);
      require(
          label < FashionImages.CLASSES,
          where,
          "labels from 0 to " + (FashionImages.CLASSES - 1),
          label + " as label " + i);
    }
  }

  private static void require(boolean holds, String where, String expected, String got) {
    if (!holds) {
      String fix = "Get the four files of Fashion-MNIST again.";
      throw new DataException(new Problem("Fashion-MNIST", where, expected, got, fix));
    }
  }

  /** The number of images. */
  int size() {
    return (int) labels.size();
  }
}
