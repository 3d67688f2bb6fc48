package dev.halfcell.zoo.data;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.awt.image.BufferedImage;
import java.io.ByteArrayOutputStream;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import javax.imageio.ImageIO;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class PictureTest {
  @TempDir private Path folder;

  private static byte[] png() throws IOException {
    BufferedImage image = new BufferedImage(2, 3, BufferedImage.TYPE_INT_RGB);
    image.setRGB(1, 2, 0x102030);
    ByteArrayOutputStream png = new ByteArrayOutputStream();
    assertTrue(ImageIO.write(image, "png", png));
    return png.toByteArray();
  }

  /** As where the folder for temporary files is full, or may not be written. */
  @Test
  void noTemporaryFileIsNeeded() throws IOException {
    byte[] png = png();
    Path gone = Files.createDirectory(folder.resolve("gone"));
    File usual = ImageIO.getCacheDirectory();
    ImageIO.setCacheDirectory(gone.toFile());
    try {
      Files.delete(gone);
      Picture picture = Picture.parse(png, "a.png");
      assertEquals(2, picture.width());
      assertEquals(3, picture.height());
      assertEquals(0x20, picture.at(1, 3, 2, 1));
    } finally {
      ImageIO.setCacheDirectory(usual);
    }
  }
}
